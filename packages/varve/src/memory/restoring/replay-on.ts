import type { ReplayedReceipt } from '../../operations/replayed-receipt.ts'
import { mostReplayed } from '../../operations/receipts.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import { type Memory, openMemoryIn } from '../memory.ts'
import { VarveError } from '../../errors/varve-error.ts'

/** What became of a receipt, and where it was read: in the store that goes, or in a file. */
export interface ReplayedFrom extends ReplayedReceipt {
  readonly from: 'store' | 'file'
}

/** Receipts by where they were read. Those of a file may hold no receipt in a line. */
interface Receipts {
  readonly old: readonly Receipt[]
  readonly given: AsyncIterable<{ readonly line: number; readonly receipt: Receipt | undefined }> | undefined
}

/** A receipt with the number of its line. */
interface Line {
  readonly line: number
  readonly receipt: Receipt | undefined
}

/** In place of a line without a receipt: it is refused like one. */
const noReceipt: Receipt = { id: '', counts: {}, logical: 'done', physical: 'done', at: 0 }

/** Receipts of one call, in bytes of JSON: a receipt of a million single messages takes 3 MB. */
const mostBytes = 16 * 1024 * 1024

/** The time for overwriting what was erased: seconds. The next writer does the rest. */
const secondsForBytes = 600

/** Replays receipts on a store that nobody else has open. Receipts that it has already are passed over. */
export async function replayOn(
  store: string,
  environment: Readonly<Record<string, string | undefined>>,
  { old, given }: Receipts,
): Promise<readonly ReplayedFrom[]> {
  // The files of notes are those of the store in use. Their words were erased there.
  const { VARVE_NOTES_DIRECTORY: _notes, ...rest } = environment
  await using memory = await openMemoryIn(rest, {
    ...{ store, engine: 'inline', upkeep: 'manual', isolation: 'silent', embeddingModel: false, languageModel: false },
    logger: { warn: () => undefined },
  })
  const replayed: ReplayedFrom[] = []
  const ofOld = old.map((receipt, place) => ({ line: place + 1, receipt }))
  for await (const some of batches(ofOld)) replayed.push(...(await replayLines(memory, 'store', some)))
  const known = new Set(replayed.flatMap(({ id, outcome }) => (id === undefined || outcome === 'refused' ? [] : [id])))
  for await (const some of batches(unknownIn(memory, given, known))) replayed.push(...(await replayLines(memory, 'file', some)))
  if (replayed.length > 0) await memory.upkeep.run({ kinds: ['erasures'], maxSeconds: secondsForBytes })
  return replayed
}

async function* unknownIn(memory: Memory, lines: Receipts['given'], known: ReadonlySet<string>): AsyncIterable<Line> {
  for await (const one of lines ?? []) {
    const id = one.receipt?.id
    if (id === undefined || !(known.has(id) || (await hasReceipt(memory, id)))) yield one
  }
}

async function hasReceipt(memory: Memory, id: string): Promise<boolean> {
  try {
    await memory.receipts.get(id)
    return true
  } catch (error) {
    if (VarveError.is(error) && error.code === 'NOT_FOUND') return false
    throw error
  }
}

async function* batches(lines: Iterable<Line> | AsyncIterable<Line>): AsyncIterable<readonly Line[]> {
  let some: Line[] = []
  let bytes = 0
  for await (const one of lines) {
    some.push(one)
    bytes += JSON.stringify(one).length
    if (some.length < mostReplayed && bytes < mostBytes) continue
    yield some
    some = []
    bytes = 0
  }
  if (some.length > 0) yield some
}

async function replayLines(memory: Memory, from: ReplayedFrom['from'], some: readonly Line[]): Promise<readonly ReplayedFrom[]> {
  const outcomes = await memory.receipts.replay(some.map(({ receipt }) => receipt ?? noReceipt))
  return outcomes.map((one, place) => ({ ...one, from, line: some[place]?.line ?? one.line }))
}
