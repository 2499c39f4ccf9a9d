import type { Here } from '../storage/here.ts'
import { LRUCache } from 'lru-cache'
import type { Program } from '../storage/program.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import { erasedAfter, termSizes, termsAfter } from '../storage/segment/terms.ts'
import { Segment } from './segment.ts'
import { type EmbeddingState, SegmentVectors } from './segment-vectors.ts'
import { VectorArena } from './vectors/vector-arena.ts'

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

/** Memory of a vector beside its code, in bytes: its message, scale and number. */
const bytesPerVector = 32

/** Least memory for vectors. */
const leastArenaBytes = 1024 * 1024

/** How far over the bound a segment may grow before it is loaded again: else every append would load it. */
const slack = 1.25

/** Least size of an entry, so that the cache's own cost counts. */
const leastBytes = 4 * 1024

/** What the cache holds: a new one each time, since it measures a value only when it is another one. */
interface Held {
  readonly segment: Segment
}

/**
 * The segments of the partitions in use, least recently used out first, under a bound in bytes. A segment over the
 * bound by itself holds the newest messages that fit, and is `partial`.
 */
export class Segments {
  readonly #bound: number
  readonly #cache: LRUCache<number, Held>
  readonly #arena: VectorArena

  constructor(bound: number) {
    this.#bound = bound
    this.#arena = new VectorArena({ maxBytes: Math.max(leastArenaBytes, bound) })
    this.#cache = new LRUCache({
      maxSize: bound,
      sizeCalculation: ({ segment }) => Math.min(bound, Math.max(leastBytes, segment.bytes)),
      dispose: ({ segment }, _key, reason) => reason === 'set' || segment.dispose(),
    })
  }

  /** The most stored bytes of terms that one segment may hold, with the vectors of the same messages. */
  #mostStored({ term_bytes: bytes }: PartitionRow, embedding: EmbeddingState | undefined): number {
    const vectors = embedding === undefined ? 0 : embedding.vector_seq * (embedding.dimension + bytesPerVector)
    return this.#bound / (memoryPerStoredByte + vectors / Math.max(1, bytes))
  }

  /** Memory in use, estimated, in bytes. */
  get bytes(): number {
    return this.#cache.calculatedSize
  }

  get size(): number {
    return this.#cache.size
  }

  /** The partition's segment as of its state, with the vectors of an embedding: loaded on first use, then only what came since. */
  *current(state: PartitionRow, embedding?: EmbeddingState): Program<Segment> {
    const mostStored = this.#mostStored(state, embedding)
    let segment = this.#cache.get(state.id)?.segment
    if (segment !== undefined && segment.epoch !== state.epoch) {
      segment.remove(yield* erasedAfter(state.id, segment.epoch))
      segment.epoch = state.epoch
      // Most of it is dead weight, and vocabulary that nobody has any more: cheaper to load what is left.
      if (segment.live * 2 < segment.count) segment = undefined
    }
    if (segment !== undefined && segment.seq < state.seq) yield* this.#extend(segment, state)
    if (segment === undefined || segment.storedBytes > mostStored * slack) {
      // The old one's vectors make room for the new one's.
      this.#cache.delete(state.id)
      segment = yield* this.#load(state, mostStored)
    }
    try {
      yield* this.#extendVectors(segment, embedding)
    } catch (error) {
      this.#cache.delete(state.id)
      segment.dispose()
      throw error
    }
    this.#cache.set(state.id, { segment })
    return segment
  }

  *#extendVectors(segment: Segment, embedding: EmbeddingState | undefined): Program<void> {
    if (embedding === undefined) return
    if (segment.vectors?.embedding !== embedding.id) {
      segment.vectors?.dispose()
      segment.vectors = new SegmentVectors(this.#arena, embedding)
    }
    yield* segment.vectors.extend(embedding, (ord) => segment.find(ord))
  }

  *#load(state: PartitionRow, mostStored: number): Program<Segment> {
    const share = Math.min(1, mostStored / state.term_bytes)
    const segment = new Segment(state.id, Math.ceil(state.messages * share))
    segment.epoch = state.epoch
    if (share < 1) {
      segment.seq = yield* this.#floor(state, mostStored)
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
  *#floor(state: PartitionRow, mostStored: number): Program<number> {
    let room = mostStored
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

/** The segments that a place keeps. */
export function segmentsIn(here: Pick<Here, 'keep' | 'segmentBytes'>): Segments {
  return here.keep(Segments, () => new Segments(here.segmentBytes))
}
