import type { Command } from 'commander'
import { session, text } from '../../operations/fields.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { readInput } from '../input.ts'
import { withStore } from '../open-store.ts'
import { settledReceipt, tellReceipt } from '../render/receipt.ts'
import { harmlessLine, print, printJson } from '../terminal.ts'

const replacing = {
  input: () => ({
    id: text().describe('The id of the message: as the store gave it, or your own.'),
    content: text().optional().describe('The new words. Default: read from stdin.'),
    session: session().optional().describe('The session of the message: with it, the id is your own.'),
  }),
}

const after = `
The old words are erased like forgotten ones. An id of your own is unique
within a session only: where several sessions have it, name one.

  $ varve replace 0195d3f2-6c1e-7a40-9b1d-2f64b7a9c001 "The kiosk opens at nine."
  $ varve replace msg-7 --session monday < corrected.txt`

export function addReplace(program: Command): void {
  addCommand(program, 'replace <id> [content]', replacing, replace, {
    about: 'puts new words in the place of a message, and erases the old ones',
  }).addHelpText('after', after)
}

async function replace({ id, content, session: of }: InputOf<typeof replacing>, flags: GlobalFlags): Promise<void> {
  const words = content ?? (await readInput('the new words')).replace(/\r?\n$/, '')
  const reference = of === undefined ? id : { session: of, externalId: id }
  const { message, receipt } = await withStore(flags, async (handle, memory) => {
    const replaced = await handle.replace(reference, words)
    return { message: replaced.message, receipt: await settledReceipt(replaced.receipt, memory) }
  })
  if (flags.json === true) return printJson({ message, receipt })
  print(`Replaced message #${message.seq} of ${harmlessLine(message.session)}.`)
  tellReceipt('Forgotten', receipt)
}
