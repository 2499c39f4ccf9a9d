import { flag, text } from './fields.ts'
import { storeOperation } from './operation.ts'

export const backupOperation = storeOperation({
  name: 'backup',
  kind: 'write',
  // A path on the disk of the server is nothing that a caller may choose.
  route: null,
  about:
    'Copies the store into one file while others read and write, and verifies the copy: every page, its schema, and the rows ' +
    'of each table. It has no words that were erased before. Until it is whole there is no file.',
  input: () => ({
    path: text().describe('The file to make. Its folder is made where it is missing, for the owner alone.'),
    overwrite: flag().optional().describe('Puts it in the place of a file that is there. Default false.'),
  }),
  output: 'Backup',
  errors: ['DISK_FULL', 'STORE_DAMAGED', 'STORE_FAILED'],
  method: {
    details: 'With `signal` it can be stopped, and leaves nothing. Events of the type `backing-up` tell how far it is.',
    options: 'BackupOptions',
    example: "await memory.backup('/backups/varve.db', { overwrite: true })",
  },
  run: ({ backUp }, { path, overwrite = false }, { signal }) => backUp({ path, overwrite }, signal),
})
