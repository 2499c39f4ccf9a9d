import { isAbsolute, resolve } from 'node:path'
import type { Command } from 'commander'
import * as z from 'zod'
import { restoreStore, type Restored } from '../../memory/restoring/restore-store.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { printJsonList, printPiece } from '../long-output.ts'
import { storeFile } from '../open-store.ts'
import { receiptsIn } from '../receipts-in.ts'
import { replayedLine } from '../render/receipts.ts'
import { shell } from '../shell.ts'
import { counted, harmlessLine, note, print } from '../terminal.ts'

const after = `
The backup is verified beside the store, and forgets what was forgotten since:
by the receipts of the store that it replaces, and by those of --receipts. The
old store is there until the new one stands. Nobody may have it open.

  $ varve restore /backups/varve.db --to restored.db
  $ varve restore /backups/varve.db --overwrite
  $ varve restore /backups/varve.db --receipts /elsewhere/receipts.jsonl

Exit code 1 means that a receipt was refused, or that the receipts of the old
store could not be read.`

const restored = {
  input: () => ({
    file: z.string({ error: 'a backup' }).describe('The backup, which stays as it is.'),
    to: z.string().optional().describe('The store to make. Default: the store of --store.'),
    receipts: z.string().optional().describe('A file with a receipt in each line, - for stdin: what they say is forgotten again.'),
    overwrite: z.boolean().optional().describe('Replaces the store that is there. Default false.'),
    withoutReceipts: z
      .boolean()
      .optional()
      .describe('Goes on where the old store cannot be read: what was forgotten since the backup may be there again. Default false.'),
  }),
}

export function addRestore(program: Command): void {
  addCommand(program, 'restore <file>', restored, restore, {
    about: 'makes a store of a backup, and forgets again what was forgotten since',
  }).addHelpText('after', after)
}

async function restore({ file, to, receipts, overwrite, withoutReceipts }: InputOf<typeof restored>, flags: GlobalFlags): Promise<void> {
  const store = storeFile(to === undefined ? flags : { ...flags, store: isAbsolute(to) ? to : resolve(to) })
  // A reader that closes the output early does not end a restore half way.
  shell().goesOn = true
  const made = await restoreStore({
    ...{ file, store, overwrite: overwrite === true, withoutReceipts: withoutReceipts === true },
    ...(receipts === undefined ? {} : { receipts: receiptsIn(receipts) }),
    environment: shell().env,
    onAside: (aside) => note(`varve: until the new store stands, the old one is ${harmlessLine(aside)} too.`),
  })
  if (made.unread !== undefined || made.replayed.some(({ outcome }) => outcome === 'refused')) shell().exitCode = 1
  if (flags.json === true) return printMade(made)
  for (const one of made.replayed) await printPiece(`${one.from === 'store' ? 'old store' : 'receipts '} ${replayedLine(one)}\n`)
  const [erased, gone, refused] = (['erased', 'gone', 'refused'] as const).map((outcome) => countOf(made, outcome))
  print(`Forgotten again: ${erased}. Nothing there: ${gone}. Refused: ${refused}.`)
  print(`${harmlessLine(made.store)}: ${counted(made.messages, 'message')}, ${counted(made.receipts, 'receipt')}, verified.`)
  if (made.unread !== undefined) note(`varve: warning: the receipts of the old store could not be read: ${harmlessLine(made.unread)}`)
}

function printMade({ replayed, ...made }: Restored): Promise<void> {
  const list = (async function* () {
    yield* replayed
  })()
  return printJsonList(made, 'replayed', list, () => ({}))
}

function countOf({ replayed }: Restored, outcome: string): number {
  return replayed.filter((one) => one.outcome === outcome).length
}
