import type { Command } from 'commander'
import { memoryOperations } from '../../operations/store.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { costLine, costPartLine, ledgerLines } from '../render/ledger.ts'
import { columns, counted, note, print, printJson } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'

const after = `
Lists the calls of one project with --project, else of all, and adds up all calls
of that time. Without a language model there are none. A call for several layers
is divided among them.

  $ varve ledger --from 2026-11-01 --project kiosk
  $ varve ledger costs --by day,model`

export function addLedger(program: Command): void {
  const command = addCommand(program, 'ledger', memoryOperations.ledger, ledger, {
    about: 'lists the calls to language models, newest first, and their costs by layer',
  }).addHelpText('after', after)
  addCommand(command, 'costs', memoryOperations.costs, showCosts, { about: 'adds up the calls: a bill by project, model, day and layer' })
}

async function ledger({ limit, ...range }: InputOf<typeof memoryOperations.ledger>, flags: GlobalFlags): Promise<void> {
  const { calls, costs } = await withStore(
    flags,
    async (_handle, memory) => ({
      calls: await wholeList(limit, (page) => memory.ledger({ ...range, ...page })),
      costs: await memory.costs(range),
    }),
    { of: 'store' },
  )
  const { total, parts: totals } = costs
  if (flags.json === true) return printJson({ calls, total, totals })
  if (calls.length === 0) return note(noCall)
  for (const line of ledgerLines(calls, columns())) print(line)
  print(`\n${calls.length < total.calls ? `The newest ${counted(calls.length, 'call')}. ` : ''}In all ${costLine(total)}`)
  for (const part of totals) print(costPartLine(part))
}

const noCall = 'No call to a language model.'

async function showCosts(input: InputOf<typeof memoryOperations.costs>, flags: GlobalFlags): Promise<void> {
  const costs = await withStore(flags, (_handle, memory) => memory.costs(input), { of: 'store' })
  if (flags.json === true) return printJson(costs)
  if (costs.total.calls === 0) return note(noCall)
  for (const part of costs.parts) print(costPartLine(part))
  print(`In all ${costLine(costs.total)}`)
}
