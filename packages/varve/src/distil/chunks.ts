import { readLayersIn } from '../layers/all.ts'
import { isAwaited, type PartRange } from '../storage/derived/parts.ts'
import { sharedBits } from '../storage/layers.ts'
import type { PartTable } from '../storage/schema.ts'
import type { Chunk } from '../tasks/parts/read-span.ts'

/**
 * The least, the most and the usual bound on the messages of one part. The systems before this one read 40 at once, and
 * no session is longer than many of them.
 */
export const partLengths = { least: 2, most: 200, usual: 40 } as const

/** A message as chunking sees it. */
export interface Place {
  readonly seq: number
  /** The time of the message: UTC milliseconds. */
  readonly at: number
  /** Estimated tokens. */
  readonly tokens: number
}

/** The options of chunking. */
export interface Chunking {
  /** Bits of the layers that are wanted. */
  readonly wanted: number
  /** Bits of the layers whose provisional parts are to be written again. */
  readonly again: number
  /** The most messages of a chunk. */
  readonly maxMessages: number
  /** The most tokens of a chunk; a single message may have more. */
  readonly maxTokens: number
  /**
   * The last places that a person's words stand for. Later messages are a part of their own: else the writer would
   * choose among the words that the person replaced.
   */
  readonly closedAt: ReadonlySet<number>
  /** The first place that may be shared. No chunk crosses it, and the shared layer reads none before it. */
  readonly sharedFrom: number
  readonly sittings: (places: readonly Place[], before: { day: string; lastAt: number } | undefined) => readonly string[]
}

/** Lists the ranges of places that no part covers, ascending. */
export function unread(parts: readonly PartTable[], seq: number, wanted: number): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = []
  let at = 1
  for (const { from, to } of standing(parts, wanted)) {
    if (from > at) gaps.push({ from: at, to: from - 1 })
    at = to + 1
  }
  if (at <= seq) gaps.push({ from: at, to: seq })
  return gaps
}

/**
 * Cuts a session into chunks, in order: the standing ones, the last one grown by new messages, and new ones. `places`
 * are the messages in the gaps.
 */
export function chunksOf(parts: readonly PartTable[], places: readonly Place[], chunking: Chunking): Chunk[] {
  const { wanted } = chunking
  const stand = standing(parts, wanted)
  const last = stand.at(-1)
  const early = places.filter(({ seq }) => last !== undefined && seq < last.from)
  const late = places.filter(({ seq }) => last === undefined || seq > last.to)
  const chunks = stand.map((range) => ({ ...range, due: dueOf(range, parts, chunking) }))
  const before = last === undefined ? undefined : { day: last.sitting, lastAt: last.lastAt }
  const days = chunking.sittings(late, before)
  const grown = last === undefined || !isOpen(last, parts, chunking) ? 0 : growth(last, late, days, chunking)
  if (last !== undefined && grown > 0) chunks.splice(-1, 1, { ...joined(last, late.slice(0, grown)), due: wanted })
  const gaps = gapsOf(early, stand)
  const inGaps = gaps.flatMap((gap) => cut(gap, chunking.sittings(gap, undefined), chunking))
  return [...chunks, ...inGaps, ...cut(late.slice(grown), days.slice(grown), chunking)]
    .toSorted((a, b) => a.from - b.from)
    .map((chunk) => withoutRead(chunk.from < chunking.sharedFrom ? { ...chunk, due: chunk.due & ~sharedBits } : chunk, parts, chunking))
}

/** Leaves out messages that were read before, for the layers that read each message once, in any part. */
function withoutRead(chunk: Chunk, parts: readonly PartTable[], { again }: Chunking): Chunk {
  let { due } = chunk
  const fresh = new Map<number, number>()
  for (const { bit } of readLayersIn(due).filter(({ isReadOnce }) => isReadOnce)) {
    const read = parts.filter((part) => part.layer === bit && !isAwaited(part) && (part.provisional === 0 || (bit & again) === 0))
    const next = read
      .toSorted((a, b) => a.from_seq - b.from_seq)
      .reduce((at, part) => (part.from_seq <= at && part.to_seq >= at ? part.to_seq + 1 : at), chunk.from)
    if (next > chunk.to) due &= ~bit
    else if (next > chunk.from) fresh.set(bit, next)
  }
  return { ...chunk, due, ...(fresh.size === 0 ? {} : { freshFrom: fresh }) }
}

/**
 * Lists the ranges that parts of the wanted layers cover, apart from each other. Of two that overlap it takes the
 * earlier and longer one.
 */
function standing(parts: readonly PartTable[], wanted: number): PartRange[] {
  const ranges: PartRange[] = []
  const sorted = parts.filter(({ layer }) => (layer & wanted) !== 0).toSorted((a, b) => a.from_seq - b.from_seq || b.to_seq - a.to_seq)
  for (const part of sorted) {
    if (part.from_seq <= (ranges.at(-1)?.to ?? 0)) continue
    ranges.push({
      from: part.from_seq,
      to: part.to_seq,
      messages: part.messages,
      sitting: part.sitting,
      firstAt: part.first_at,
      lastAt: part.last_at,
    })
  }
  return ranges
}

function dueOf({ from, to }: PartRange, parts: readonly PartTable[], { wanted, again }: Chunking): number {
  let due = wanted
  for (const part of parts) {
    const isThis = part.from_seq === from && part.to_seq === to
    if (isThis && !isAwaited(part) && (part.provisional === 0 || (part.layer & again) === 0)) due &= ~part.layer
  }
  return due
}

/** Tells whether later messages may still join a part. A part that was taken out by hand stays as it is. */
function isOpen({ from, to, messages }: PartRange, parts: readonly PartTable[], { closedAt, maxMessages }: Chunking): boolean {
  return messages < maxMessages && !closedAt.has(to) && !parts.some((part) => part.from_seq === from && part.content === null)
}

/** Counts the messages that join the last chunk. */
function growth(
  last: PartRange,
  late: readonly Place[],
  days: readonly string[],
  { maxTokens, maxMessages, sharedFrom }: Chunking,
): number {
  let count = 0
  // The chunk's own tokens are unknown. Its messages, as a share of the most messages, stand for them.
  let tokens = maxTokens * (last.messages / maxMessages)
  while (count < late.length && days[count] === last.sitting && last.messages + count < maxMessages) {
    tokens += late[count]?.tokens ?? 0
    if (tokens > maxTokens || crosses(last.from, late[count]?.seq ?? 0, sharedFrom)) break
    count += 1
  }
  return count
}

function crosses(from: number, to: number, sharedFrom: number): boolean {
  return from < sharedFrom && to >= sharedFrom
}

function joined(range: PartRange, more: readonly Place[]): PartRange {
  return {
    ...range,
    to: more.at(-1)?.seq ?? range.to,
    messages: range.messages + more.length,
    firstAt: Math.min(range.firstAt, ...more.map(({ at }) => at)),
    lastAt: Math.max(range.lastAt, ...more.map(({ at }) => at)),
  }
}

/** Lists the messages between standing chunks, a list for each gap. */
function gapsOf(places: readonly Place[], stand: readonly PartRange[]): Place[][] {
  const gaps = new Map<number, Place[]>()
  for (const place of places) {
    const next = stand.find(({ from }) => from > place.seq)?.from ?? 0
    const gap = gaps.get(next)
    if (gap === undefined) gaps.set(next, [place])
    else gap.push(place)
  }
  return [...gaps.values()]
}

/** Cuts messages into runs of one sitting, within the bounds. */
function cut(places: readonly Place[], days: readonly string[], { wanted, maxTokens, maxMessages, sharedFrom }: Chunking): Chunk[] {
  const runs: { places: Place[]; sitting: string; tokens: number }[] = []
  for (const [at, place] of places.entries()) {
    const sitting = days[at] ?? ''
    const run = runs.at(-1)
    const fits =
      run !== undefined &&
      run.sitting === sitting &&
      run.places.length < maxMessages &&
      run.tokens + place.tokens <= maxTokens &&
      !crosses(run.places[0]?.seq ?? 0, place.seq, sharedFrom)
    if (fits) {
      run.places.push(place)
      run.tokens += place.tokens
    } else runs.push({ places: [place], sitting, tokens: place.tokens })
  }
  return runs.map(({ places: run, sitting }) => {
    const times = run.map(({ at }) => at)
    return {
      from: run[0]?.seq ?? 0,
      to: run.at(-1)?.seq ?? 0,
      messages: run.length,
      sitting,
      firstAt: Math.min(...times),
      lastAt: Math.max(...times),
      due: wanted,
    }
  })
}
