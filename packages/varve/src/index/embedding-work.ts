import type { RecalledRange } from '../messages/message.ts'
import {
  claimEmbedding,
  countMessages,
  deleteEmbedding,
  dueEmbeddings,
  type EmbeddableRow,
  ensureModel,
  findModel,
  heldEmbedding,
  newestMessages,
  outdatedEmbedding,
  putOffEmbedding,
  saveEmbedding,
  stands,
  unfinishedEmbeddings,
  type VectorMaker,
} from '../storage/segment/embeddings.ts'
import { gaps, newestGap, type OrdinalRange, withRange } from '../storage/ordinals.ts'
import { touchPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { EmbeddingTable } from '../storage/schema.ts'
import { countRefused, dropVectors, lastPassage, storeVector } from '../storage/segment/vectors.ts'
import { costOf, mostCost, nextPassage, type Passage } from './passages.ts'
import { storedCode } from './vectors/stored-code.ts'

/** A passage of a message that waits for its vector. */
export interface EmbeddingItem {
  readonly embedding: number
  readonly partition: number
  readonly ord: number
  readonly passage: number
  readonly begins: number
  readonly ends: number
}

/** The progress of a partition once the claim's vectors are stored. */
interface Progress {
  readonly embedding: number
  readonly partition: number
  /** The partition's `seq` at the time of the claim. */
  readonly seq: number
  readonly done: OrdinalRange | undefined
}

/** A piece of work, held under a lease. */
export interface EmbeddingClaim {
  readonly items: readonly EmbeddingItem[]
  /** The items' texts, in their order. */
  readonly texts: readonly string[]
  readonly progress: readonly Progress[]
  /** Failures in a row before: the largest number among the claim's partitions. */
  readonly attempts: number
}

/** The bounds of one claim. */
export interface ClaimBound {
  readonly texts: number
  /** Estimated tokens; the first text is taken whatever its size. */
  readonly tokens: number
}

export interface Claimant {
  /** The holder of the lease, and its end by the store's clock. */
  readonly holder: string
  readonly now: number
  readonly until: number
}

/** The number of partitions looked at for one claim, and of messages read of each at once. */
const partitionsPerClaim = 16
const messagesPerLook = 64

/**
 * Claims messages that lack this model's vectors. It takes the newest messages of the partition that waited longest,
 * then of others while there is room.
 */
export function* claimEmbeddings(maker: VectorMaker, claimant: Claimant, bound: ClaimBound): Program<EmbeddingClaim> {
  const model = yield* ensureModel(maker, claimant.now)
  const collector = new Collector(bound)
  for (const { partition_id: partition, seq } of yield* dueEmbeddings(model, claimant.holder, claimant.now, partitionsPerClaim)) {
    const row = yield* claimEmbedding(partition, model, claimant.holder, claimant.now, claimant.until)
    yield* collector.collect(row, seq)
    if (collector.isFull) break
  }
  return collector
}

class Collector implements EmbeddingClaim {
  readonly items: EmbeddingItem[] = []
  readonly texts: string[] = []
  readonly progress: Progress[] = []
  attempts = 0
  readonly #bound: ClaimBound
  #tokens = 0

  constructor(bound: ClaimBound) {
    this.#bound = bound
  }

  get isFull(): boolean {
    return this.texts.length >= this.#bound.texts || this.#tokens >= this.#bound.tokens
  }

  /** Takes passages of a partition's newest messages without vectors, as long as there is room. */
  *collect(row: EmbeddingTable, seq: number): Program<void> {
    this.attempts = Math.max(this.attempts, row.attempts)
    const gap = newestGap(rangesOf(row), seq)
    if (gap === undefined) return void this.progress.push({ embedding: row.id, partition: row.partition_id, seq, done: undefined })
    const messages = yield* newestMessages(row.partition_id, gap.after, gap.upTo, messagesPerLook)
    let lowest = messages.length < messagesPerLook ? gap.after + 1 : (messages.at(-1)?.ord ?? gap.upTo)
    for (const message of messages) {
      if (yield* this.#take(row, message)) continue
      lowest = message.ord + 1
      break
    }
    this.progress.push({ embedding: row.id, partition: row.partition_id, seq, done: lowest <= gap.upTo ? [lowest, gap.upTo] : undefined })
  }

  /** Takes a message's passages; false when not all of them were taken. */
  *#take(row: EmbeddingTable, { ord, origin, content, recalled }: EmbeddableRow): Program<boolean> {
    // A system message instructs a model; it is nobody's memory.
    if (origin === 'system') return true
    const leftOut: readonly RecalledRange[] = recalled === null ? [] : JSON.parse(recalled)
    let last: Passage | undefined
    let passage = 0
    if (isLong(content)) {
      const stored = yield* lastPassage(row.id, row.partition_id, ord)
      if (stored !== undefined) [last, passage] = [{ from: stored.begins, to: stored.ends }, stored.passage + 1]
    }
    for (;;) {
      const next = nextPassage(content, leftOut, last)
      if (next === undefined) return true
      if (this.isFull) return false
      const text = content.slice(next.from, next.to).toWellFormed()
      this.items.push({ embedding: row.id, partition: row.partition_id, ord, passage, begins: next.from, ends: next.to })
      this.texts.push(text)
      this.#tokens += costOf(text)
      last = next
      passage += 1
    }
  }
}

/** Tells whether a message may have more than one passage: a code unit costs at most one token. */
function isLong(content: string): boolean {
  return content.length > mostCost
}

/** A vector for each item; null for an item that the model will always refuse. */
export type MadeVectors = readonly (Float32Array | null)[]

/** Stores the vectors of a claim whose lease still holds and whose messages still stand. Returns the number of stored vectors. */
export function* storeEmbeddings(
  { items, progress }: Pick<EmbeddingClaim, 'items' | 'progress'>,
  vectors: MadeVectors,
  holder: string,
): Program<number> {
  let stored = 0
  for (const { embedding, partition, seq, done } of progress) {
    const row = yield* heldEmbedding({ id: embedding, partition_id: partition }, holder)
    if (row === undefined) continue
    yield* touchPartition(row.partition_id)
    let number = row.vector_seq
    for (const [place, item] of items.entries()) {
      const vector = vectors[place]
      if (item.embedding !== embedding || vector === undefined || !(yield* stands(item.partition, item.ord))) continue
      number += 1
      yield* storeOne(item, number, vector)
      if (vector !== null) stored += 1
    }
    const ranges = done === undefined ? rangesOf(row) : withRange(rangesOf(row), done)
    const seen = newestGap(ranges, seq) === undefined ? seq : 0
    yield* saveEmbedding({ ...row, vector_seq: number, seen_seq: seen, done: JSON.stringify(ranges) })
  }
  return stored
}

function* storeOne(
  { embedding, partition, ord, passage, begins, ends }: EmbeddingItem,
  number: number,
  vector: Float32Array | null,
): Program<void> {
  const place = { partition_id: partition, ord, passage, begins, ends }
  if (vector === null) yield* storeVector(embedding, number, { ...place, body: new Uint8Array(0) })
  else
    yield* storeVector(
      embedding,
      number,
      { ...place, body: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength) },
      storedCode(vector),
    )
}

/** Gives a claim back after a failure, to be tried again at `dueAt`. */
export function* putOffEmbeddings(
  { progress }: Pick<EmbeddingClaim, 'progress'>,
  holder: string,
  dueAt: number,
  reason: string,
): Program<void> {
  for (const { embedding, partition } of progress) yield* putOffEmbedding({ id: embedding, partition_id: partition }, holder, dueAt, reason)
}

/** The number of outdated vectors that one transaction deletes. */
const vectorsPerDrop = 500

/**
 * Deletes some vectors of another model in a partition that this model has embedded completely. The other had no turn
 * since `before`. Returns whether there may be more.
 */
export function* dropOutdated(maker: VectorMaker, before: number): Program<boolean> {
  const model = yield* findModel(maker)
  const old = model === undefined ? undefined : yield* outdatedEmbedding(model, before)
  if (old === undefined) return false
  if (yield* dropVectors(old, vectorsPerDrop)) yield* deleteEmbedding(old)
  return true
}

/** Tells whether this model has work; without a model, whether there is anything to embed at all. Reads only. */
export function* embeddingsDue(maker: VectorMaker | undefined, holder: string, now: number, before: number): Program<boolean> {
  const model = maker === undefined ? undefined : yield* findModel(maker)
  if ((yield* dueEmbeddings(model ?? 0, holder, now, 1)).length > 0) return true
  return model !== undefined && (yield* outdatedEmbedding(model, before)) !== undefined
}

/** The work that a model still has, and its failures. */
export interface EmbeddingBacklog {
  readonly messages: number
  /** Passages that the model refused: recall finds them by their words only. */
  readonly refused: number
  readonly failures: readonly { readonly partition: number; readonly attempts: number; readonly dueAt: number; readonly reason: string }[]
}

export function* embeddingBacklog(maker: VectorMaker | undefined): Program<EmbeddingBacklog> {
  const model = maker === undefined ? undefined : yield* findModel(maker)
  let messages = 0
  const failures: EmbeddingBacklog['failures'][number][] = []
  for (const { partition_id: partition, seq, done, attempts, due_at: dueAt, reason } of yield* unfinishedEmbeddings(model ?? 0)) {
    for (const { after, upTo } of gaps(rangesOf({ done: done ?? '[]' }), seq)) messages += yield* countMessages(partition, after, upTo)
    if (reason !== null && attempts !== null && dueAt !== null) failures.push({ partition, attempts, dueAt, reason })
  }
  return { messages, refused: model === undefined ? 0 : yield* countRefused(model), failures }
}

function rangesOf({ done }: Pick<EmbeddingTable, 'done'>): readonly OrdinalRange[] {
  const ranges: readonly OrdinalRange[] = JSON.parse(done)
  return ranges
}
