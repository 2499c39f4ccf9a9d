import type { Command } from 'commander'
import { endOf, number, time } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { layerTotals, ledgerLines, totalLine } from '../render/ledger.ts'
import { columns, counted, note, print, printJson } from '../terminal.ts'

interface LedgerFlags extends GlobalFlags {
  readonly from?: string
  readonly to?: string
  readonly limit?: number
}

const after = `
Of one project with --project, else of all. Without a language model nothing is
ever called. A call for several layers is counted in each of their totals.

  $ varve ledger --from 2026-11-01 --project kiosk`

export function addLedger(program: Command): void {
  program
    .command('ledger')
    .description('list the calls to language models, newest first, and what each layer cost')
    .option('--from <time>', 'begun at or after: ISO 8601 with its offset, or a UTC day', time)
    .option('--to <time>', 'begun at or before; a day means all of it', time)
    .option('--limit <n>', 'how many at most (default: 1000)', number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => ledger(command.optsWithGlobals<LedgerFlags>()))
}

async function ledger(flags: LedgerFlags): Promise<void> {
  const { project, from, to, limit } = flags
  const options = {
    ...(project === undefined ? {} : { project }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to: endOf(to) }),
    ...(limit === undefined ? {} : { limit }),
  }
  const calls = await withStore(flags, (_handle, memory) => memory.ledger(options))
  const totals = layerTotals(calls)
  if (flags.json === true) return printJson({ calls, totals })
  if (calls.length === 0) return note('No call to a language model.')
  for (const line of ledgerLines(calls, columns())) print(line)
  print(`\n${counted(calls.length, 'call')} in all`)
  for (const total of totals) print(totalLine(total))
}
