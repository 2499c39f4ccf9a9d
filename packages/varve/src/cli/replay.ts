import type { Memory } from '../memory/memory.ts'
import { mostReplayed } from '../operations/receipts.ts'
import { refusalOf } from '../operations/replay.ts'
import type { ReplayedReceipt } from '../operations/replayed-receipt.ts'
import { wrongUsage } from './command-error.ts'
import type { YesFlags } from './global-flags.ts'
import { printJsonList, printPiece } from './long-output.ts'
import { commandLine, thisLine } from './next-command.ts'
import { finishErasures, withStore } from './open-store.ts'
import { type ReceiptLine, receiptsIn } from './receipts-in.ts'
import { replayedLine } from './render/receipts.ts'
import { shell } from './shell.ts'
import { note, print } from './terminal.ts'

/** Counts of the lines with a receipt, and of those that are refused. */
interface Told {
  lines: number
  refused: number
}

/** Verifies every receipt of a file, and erases again with --yes. A refused line makes the exit code 1. */
export async function replayFile(file: string, isNarrowed: boolean, flags: YesFlags): Promise<void> {
  refuseNarrowing(isNarrowed, flags)
  const told: Told = { lines: 0, refused: 0 }
  await withStore(
    flags,
    (_handle, memory) => (flags.yes === true ? replay(memory, file, told, flags) : preview(memory, file, told, flags)),
    { of: 'store' },
  )
  if (told.refused > 0) shell().exitCode = 1
}

/** The receipts say whose memory it is. Another name beside them would look like a bound, and be none. */
function refuseNarrowing(isNarrowed: boolean, { project, user }: YesFlags): void {
  const help = commandLine('forget', '--help')
  if (isNarrowed) throw wrongUsage('--replay takes no selection: the receipts say what to forget.', help)
  if (project === undefined && user === undefined) return
  throw wrongUsage(
    '--replay erases what the receipts name, of every user: leave out --user and --project, and unset VARVE_USER and VARVE_PROJECT.',
    help,
  )
}

async function replay(memory: Memory, file: string, told: Told, { json }: YesFlags): Promise<void> {
  // Whoever closes the output early (`| head`) does not end an erasure half way.
  shell().goesOn = true
  const outcomes = counted(replayedIn(memory, receiptsIn(file)), told)
  if (json === true) await printJsonList({ done: true }, 'receipts', outcomes, () => ({}))
  else for await (const one of outcomes) await printPiece(`${replayedLine(one)}\n`)
  await finishErasures(memory)
}

async function preview(memory: Memory, file: string, told: Told, { json }: YesFlags): Promise<void> {
  const refused = refusedOf(counted(previewed(memory, receiptsIn(file)), told))
  const next = thisLine('--yes')
  if (json === true) return printJsonList({ done: false }, 'refused', refused, () => ({ receipts: told.lines, next }))
  for await (const one of refused) await printPiece(`${replayedLine(one)}\n`)
  print(`Would be replayed: ${told.lines - told.refused} of ${told.lines} receipts.`)
  note(`Nothing was done yet. It cannot be undone.\nNext: ${next}`)
}

async function* counted(outcomes: AsyncIterable<ReplayedReceipt>, told: Told): AsyncGenerator<ReplayedReceipt> {
  for await (const one of outcomes) {
    told.lines += 1
    if (one.outcome === 'refused') told.refused += 1
    yield one
  }
}

async function* refusedOf(outcomes: AsyncIterable<ReplayedReceipt>): AsyncGenerator<ReplayedReceipt> {
  for await (const one of outcomes) if (one.outcome === 'refused') yield one
}

/** The most bytes of lines that are held for one call, and the line that goes beyond. */
const mostBytes = 16 * 1024 * 1024

/** Replays the lines, as many in one call as it takes. */
async function* replayedIn(memory: Memory, lines: AsyncIterable<ReceiptLine>): AsyncGenerator<ReplayedReceipt> {
  let some: ReceiptLine[] = []
  let bytes = 0
  for await (const one of lines) {
    some.push(one)
    bytes += one.bytes
    if (some.length < mostReplayed && bytes < mostBytes) continue
    yield* await replayedNow(memory, some)
    some = []
    bytes = 0
  }
  if (some.length > 0) yield* await replayedNow(memory, some)
}

async function replayedNow(memory: Memory, some: readonly ReceiptLine[]): Promise<readonly ReplayedReceipt[]> {
  const outcomes = await memory.receipts.replay(some.map(({ receipt }) => receipt ?? noReceipt))
  return outcomes.map((one, place) => ({ ...one, line: some[place]?.line ?? one.line }))
}

/** In place of a line without a receipt: it is refused like one. */
const noReceipt = { id: '', counts: {}, logical: 'done', physical: 'done', at: 0 } as const

/** Tells which receipts would be refused. */
async function* previewed(memory: Memory, lines: AsyncIterable<ReceiptLine>): AsyncGenerator<ReplayedReceipt> {
  for await (const { line, receipt } of lines) {
    const reason = refusalOf(receipt === undefined ? undefined : await memory.receipts.verify(receipt))
    const id = receipt === undefined ? {} : { id: receipt.id }
    yield reason === undefined ? { line, ...id, outcome: 'gone' } : { line, ...id, outcome: 'refused', reason }
  }
}
