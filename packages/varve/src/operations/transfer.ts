import { calledOn } from '../engine/port.ts'
import { type Ed25519Key, ed25519Key } from '../signing/keys.ts'
import { exportLines } from '../transfer/export-lines.ts'
import type { transferReads } from '../transfer/reads.ts'
import { checked } from './fields.ts'
import { operation } from './operation.ts'

/** Makes the field of a private Ed25519 key in PEM. */
const privateKey = (option: string) =>
  checked<Ed25519Key, string>(
    { type: 'string' },
    (received) => {
      const key = typeof received === 'string' ? ed25519Key(received, option) : undefined
      return key?.privateKey === undefined ? undefined : key
    },
    'a private Ed25519 key in PEM',
  )

export const exportOperation = operation({
  name: 'export',
  kind: 'read',
  about:
    'Writes this memory as JSON lines, to be kept or imported elsewhere: messages byte for byte, and everything that was made ' +
    'of them or written by hand, except vectors. A user’s lines hold no other user’s words: what members share is in the ' +
    'project’s. The lines are signed with the store’s key.',
  input: () => ({
    signingKey: privateKey('signingKey')
      .optional()
      .describe('A private Ed25519 key in PEM that signs the lines too: whoever has its public half can check them.'),
  }),
  output: 'AsyncIterable<string>',
  errors: ['EXPORT_INTERRUPTED'],
  method: { byHand: true, options: 'ExportOptions' },
  run: async ({ engine, clock, partition }, { signingKey }, { signal }) =>
    exportLines({
      reads: calledOn<typeof transferReads>('transfer', (name, args) => engine.call('read', name, args)),
      now: clock.now(),
      partition,
      keys: {
        purpose: 'export',
        store: await engine.read('privacy.signingKey', 'export'),
        ed25519: signingKey === undefined ? [] : [signingKey],
      },
      signal,
    }),
})

/** The same for what a project's members share. */
export const projectExportOperation = operation({
  ...exportOperation,
  name: 'project.export',
  about:
    'Writes what the members of a project share as JSON lines, with the project’s settings: blocks, documents and the shared ' +
    'bank. Holds no member’s own memory. The lines are signed with the store’s key.',
  method: { byHand: true, options: 'ProjectExportOptions' },
})
