import type { Here } from '../storage/here.ts'
import { LRUCache } from 'lru-cache'
import type { Program } from '../storage/program.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { FarVectors } from '../storage/segment/far-vectors.ts'
import { termSizes, termsAfter } from '../storage/segment/terms.ts'
import { erasedAfter } from '../storage/segment/tombstones.ts'
import { Segment } from './segment.ts'
import { type EmbeddingState, SegmentVectors, type VectorsView } from './segment-vectors.ts'
import { VectorArena } from './vectors/vector-arena.ts'

/** The amount that is read at once while a segment is updated: this number of usual messages, or fewer large ones. */
const pageBytes = 256 * 1024
const leastPerPage = 16
const usualPages = { messages: 500, vectors: 512 }

/** The most rows that are read at once: 512 of MiniLM's codes come to 200 KiB. */
export type Pages = typeof usualPages

/** The memory of a segment for a byte of stored terms; the true size is known only after loading. */
export const memoryPerStoredByte = 1.6

/** Memory of a vector beside its code, in bytes: its message, scale and number. */
export const bytesPerVector = 32

/** Least memory for vectors. */
const leastArenaBytes = 1024 * 1024

/** The share of the bound to which a segment may grow before it is loaded again: else every append would load it. */
const slack = 1.25

/** Least size of an entry, so that the cache's own cost counts. */
const leastBytes = 4 * 1024

/** A value of the cache: a new object each time, since the cache measures a value only when it is another object. */
interface Held {
  readonly segment: Segment
}

/**
 * A partition's messages and their vectors, as one state of the store has them. Good for one synchronous piece of work:
 * others then change the segment.
 */
export interface Index {
  readonly segment: Segment
  readonly vectors: VectorsView | undefined
}

/**
 * The segments of the partitions in use, under a bound in bytes; the least recently used goes first. A segment over the
 * bound by itself holds the newest messages that fit, and is `partial`.
 *
 * Programs may take turns at each step. A program adds the rows that it reads in one piece, except those that others
 * added before. When a segment holds rows later than a program's state of the store, that program loads a segment of
 * its own.
 */
export class Segments {
  /** Finds what a partial segment leaves out; undefined where nothing does. */
  readonly far: FarVectors | undefined
  readonly #bound: number
  readonly #pages: Pages
  readonly #cache: LRUCache<number, Held>
  readonly #arena: VectorArena

  constructor(bound: number, pages: Pages = usualPages, far?: FarVectors) {
    this.far = far
    this.#bound = bound
    this.#pages = pages
    this.#arena = new VectorArena({ maxBytes: Math.max(leastArenaBytes, bound) })
    this.#cache = new LRUCache({
      maxSize: bound,
      sizeCalculation: ({ segment }) => Math.min(bound, Math.max(leastBytes, segment.bytes)),
      dispose: ({ segment }, _key, reason) => reason === 'set' || segment.dispose(),
    })
  }

  /** Returns the most stored bytes of terms that one segment may hold, with the vectors of the same messages. */
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

  /**
   * Looks at the partition in one synchronous piece, at a given state, with the vectors of an embedding. The first use
   * loads the segment; later uses load only newer rows.
   */
  *look<Result>(state: PartitionRow, embedding: EmbeddingState | undefined, look: (index: Index) => Result): Program<Result> {
    const known = this.#cache.get(state.id)?.segment
    if (known !== undefined && (yield* this.#orDrop(known, this.#follow(known, state))) && this.#isFit(known, state, embedding)) {
      const seen = yield* this.#lookAt(known, state, embedding, look)
      if (seen !== undefined) return seen.result
    }
    const alone = yield* this.#lookAt(yield* this.#load(state, this.#mostStored(state, embedding)), state, embedding, look)
    if (alone === undefined) throw new TypeError('a segment that no other program knows has changed')
    return alone.result
  }

  /** Returns undefined when others brought the segment further meanwhile. */
  *#lookAt<Result>(
    segment: Segment,
    state: PartitionRow,
    embedding: EmbeddingState | undefined,
    look: (index: Index) => Result,
  ): Program<{ result: Result } | undefined> {
    const vectors = embedding === undefined ? undefined : this.#vectorsOf(segment, embedding)
    vectors?.hold()
    try {
      if (vectors !== undefined && embedding !== undefined)
        yield* this.#orDrop(segment, vectors.extend(embedding, segment, this.#pages.vectors))
      if (!isAt(segment, state)) return undefined
      this.#keep(segment)
      return { result: look({ segment, vectors: embedding === undefined ? undefined : vectors?.asOf(embedding.vector_seq) }) }
    } finally {
      vectors?.release()
      if (this.#cache.peek(segment.partition)?.segment !== segment) segment.dispose()
    }
  }

  /** Tells whether a segment is worth updating: not mostly dead, nor much too large. */
  #isFit(segment: Segment, state: PartitionRow, embedding: EmbeddingState | undefined): boolean {
    if (!isWorn(segment) && segment.storedBytes <= this.#mostStored(state, embedding) * slack) return true
    // The old segment's vectors make room for the new one's.
    this.#drop(segment)
    return false
  }

  /** Brings a segment up to a state, unless it is worn. Returns false when others brought it further. */
  *#follow(segment: Segment, state: PartitionRow): Program<boolean> {
    while (segment.epoch < state.epoch) {
      const { epoch } = segment
      const erased = yield* erasedAfter(state.id, epoch)
      if (erased === undefined) {
        this.#drop(segment)
        return false
      }
      if (segment.epoch !== epoch) continue
      segment.remove(erased)
      segment.epoch = state.epoch
    }
    if (segment.epoch === state.epoch && segment.seq < state.seq && !isWorn(segment)) yield* this.#extend(segment, state)
    return isAt(segment, state) || isWorn(segment)
  }

  /** Returns the vectors of the model that asks, which gets the segment's one slot. */
  #vectorsOf(segment: Segment, embedding: EmbeddingState): SegmentVectors {
    const known = segment.vectors
    if (known?.embedding === embedding.id && !known.isDisposed) return known
    known?.dispose()
    segment.vectors = new SegmentVectors(this.#arena, embedding)
    return segment.vectors
  }

  /** Keeps a segment for the next program, unless there is one as new, or it was dropped meanwhile. */
  #keep(segment: Segment): void {
    const known = this.#cache.get(segment.partition)?.segment
    if (known !== segment && known !== undefined && known.epoch >= segment.epoch && known.seq >= segment.seq) return
    if (known !== segment) {
      if (segment.isDisposed) return
      this.#cache.delete(segment.partition)
    }
    this.#cache.set(segment.partition, { segment })
  }

  /** A failed change may have left the segment half changed. */
  *#orDrop<Result>(segment: Segment, change: Program<Result>): Program<Result> {
    try {
      return yield* change
    } catch (error) {
      this.#drop(segment)
      throw error
    }
  }

  #drop(segment: Segment): void {
    if (this.#cache.peek(segment.partition)?.segment === segment) this.#cache.delete(segment.partition)
  }

  *#load(state: PartitionRow, mostStored: number): Program<Segment> {
    const share = Math.min(1, mostStored / state.term_bytes)
    const segment = new Segment(state.id, Math.ceil(state.messages * share))
    segment.epoch = state.epoch
    if (share < 1) {
      segment.floor = yield* this.#floor(state, mostStored)
      segment.seq = segment.floor
      segment.partial = true
    }
    yield* this.#extend(segment, state)
    return segment
  }

  /** Adds newer messages page by page, except those that other programs added meanwhile. */
  *#extend(segment: Segment, state: PartitionRow): Program<void> {
    const pageSize = this.#messagesPerPage(state)
    while (segment.seq < state.seq) {
      const rows = yield* termsAfter(state.id, segment.seq, pageSize)
      if (segment.epoch !== state.epoch) return
      for (const row of rows) if (row.ord > segment.seq && row.ord <= state.seq) segment.add(row)
      const last = rows.at(-1)
      if (rows.length < pageSize || last === undefined || last.ord >= state.seq) segment.seq = Math.max(segment.seq, state.seq)
    }
    segment.settle()
  }

  #messagesPerPage({ term_bytes: bytes, messages }: PartitionRow): number {
    return Math.min(this.#pages.messages, Math.max(leastPerPage, Math.floor((pageBytes * messages) / Math.max(1, bytes))))
  }

  /** Returns the ordinal after which everything fits the bound. */
  *#floor(state: PartitionRow, mostStored: number): Program<number> {
    let room = mostStored
    let before = state.seq + 1
    let newest: number | undefined
    for (;;) {
      const rows = yield* termSizes(state.id, before, this.#pages.messages)
      newest ??= rows[0]?.ord
      for (const { ord, bytes } of rows) {
        room -= bytes
        // The newest message is always in it, however large.
        if (room < 0) return ord === newest ? ord - 1 : ord
        before = ord
      }
      if (rows.length < this.#pages.messages) return 0
    }
  }
}

/**
 * Tells whether a segment must be loaded anew: when it is mostly dead messages and unused vocabulary, which is cheaper, or when
 * forgotten words would keep others out.
 */
function isWorn({ live, count, unstemmed }: Segment): boolean {
  return live * 2 < count || unstemmed.isWorn
}

function isAt(segment: Segment, { epoch, seq }: PartitionRow): boolean {
  return segment.epoch === epoch && segment.seq === seq
}

/** Returns the segments that this place keeps. */
export function segmentsIn(here: Pick<Here, 'keep' | 'segmentBytes' | 'far'>): Segments {
  return here.keep(Segments, () => new Segments(here.segmentBytes, usualPages, here.far))
}
