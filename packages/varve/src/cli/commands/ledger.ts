import type { Command } from 'commander'
import { memoryOperations } from '../../operations/store.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { layerTotals, ledgerLines, totalLine } from '../render/ledger.ts'
import { columns, counted, note, print, printJson } from '../terminal.ts'

const after = `
Lists the calls of one project with --project, else of all. Without a language
model there are none. A call for several layers is counted in each total.

  $ varve ledger --from 2026-11-01 --project kiosk`

export function addLedger(program: Command): void {
  addCommand(program, 'ledger', memoryOperations.ledger, ledger, {
    about: 'lists the calls to language models, newest first, and their costs by layer',
  }).addHelpText('after', after)
}

async function ledger(input: InputOf<typeof memoryOperations.ledger>, flags: GlobalFlags): Promise<void> {
  const calls = await withStore(flags, (_handle, memory) => memory.ledger(input), { of: 'store' })
  const totals = layerTotals(calls)
  if (flags.json === true) return printJson({ calls, totals })
  if (calls.length === 0) return note('No call to a language model.')
  for (const line of ledgerLines(calls, columns())) print(line)
  print(`\n${counted(calls.length, 'call')} in all`)
  for (const total of totals) print(totalLine(total))
}
