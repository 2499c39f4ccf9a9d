import { LRUCache } from 'lru-cache'
import type { Program } from '../storage/program.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import { erasedAfter, termSizes, termsAfter } from '../storage/terms.ts'
import { Segment } from './segment.ts'

/** What is read at once while a segment is brought up to date: so many messages of the usual size, fewer of large ones. */
const pageBytes = 256 * 1024
const mostPerPage = 500
const leastPerPage = 16

function messagesPerPage({ term_bytes: bytes, messages }: PartitionRow): number {
  return Math.max(leastPerPage, Math.min(mostPerPage, Math.floor((pageBytes * messages) / Math.max(1, bytes))))
}

/** A segment takes about this much memory a byte of stored terms; the true size is known only after loading. */
const memoryPerStoredByte = 1.6

/** An entry of the postings takes about this much of what is stored: 7.5 was measured. */
const storedBytesPerEntry = 7

/** How far over the bound a segment may grow before it is loaded again: else every append would load it. */
const slack = 1.25

/** Least size of an entry, so that the cache's own cost counts. */
const leastBytes = 4 * 1024

/**
 * The segments of the partitions in use, least recently used out first, under a bound in bytes. A segment over the
 * bound by itself holds the newest messages that fit, and is `partial`.
 */
export class Segments {
  readonly #bound: number
  readonly #cache: LRUCache<number, Segment>

  constructor(bound: number) {
    this.#bound = bound
    this.#cache = new LRUCache({ maxSize: bound, sizeCalculation: (segment) => Math.min(bound, Math.max(leastBytes, segment.bytes)) })
  }

  /** The most stored bytes that one segment may hold. */
  get #mostStored(): number {
    return this.#bound / memoryPerStoredByte
  }

  /** Memory in use, estimated, in bytes. */
  get bytes(): number {
    return this.#cache.calculatedSize
  }

  get size(): number {
    return this.#cache.size
  }

  /** The partition's segment as of its state: loaded on first use, then only what came since. */
  *current(state: PartitionRow): Program<Segment> {
    let segment = this.#cache.get(state.id)
    if (segment !== undefined && segment.epoch !== state.epoch) {
      segment.remove(yield* erasedAfter(state.id, segment.epoch))
      segment.epoch = state.epoch
      // Most of it is dead weight, and vocabulary that nobody has any more: cheaper to load what is left.
      if (segment.live * 2 < segment.count) segment = undefined
    }
    if (segment === undefined) segment = yield* this.#load(state)
    else if (segment.seq < state.seq) yield* this.#extend(segment, state)
    if (segment.storedBytes > this.#mostStored * slack) segment = yield* this.#load(state)
    this.#cache.set(state.id, segment)
    return segment
  }

  *#load(state: PartitionRow): Program<Segment> {
    const share = Math.min(1, this.#mostStored / state.term_bytes)
    const segment = new Segment(state.id, Math.ceil(state.messages * share))
    segment.epoch = state.epoch
    if (share < 1) {
      segment.seq = yield* this.#floor(state)
      segment.partial = true
    }
    segment.postings.reserve(state.term_bytes * share / storedBytesPerEntry)
    yield* this.#extend(segment, state)
    segment.postings.sort(segment.terms.size)
    return segment
  }

  *#extend(segment: Segment, state: PartitionRow): Program<void> {
    const pageSize = messagesPerPage(state)
    for (;;) {
      const rows = yield* termsAfter(state.id, segment.seq, pageSize)
      for (const row of rows) if (row.ord <= state.seq) segment.add(row)
      const last = rows.at(-1)
      if (rows.length < pageSize || last === undefined || last.ord >= state.seq) break
    }
    segment.seq = Math.max(segment.seq, state.seq)
    segment.postings.settle(segment.terms.size)
  }

  /** The ordinal after which everything fits the bound. */
  *#floor(state: PartitionRow): Program<number> {
    let room = this.#mostStored
    let before = state.seq + 1
    let newest: number | undefined
    for (;;) {
      const rows = yield* termSizes(state.id, before, mostPerPage)
      newest ??= rows[0]?.ord
      for (const { ord, bytes } of rows) {
        room -= bytes
        // The newest message is always in it, however large.
        if (room < 0) return ord === newest ? ord - 1 : ord
        before = ord
      }
      if (rows.length < mostPerPage) return 0
    }
  }
}
