import type { Clock } from '../clock/clock.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import type { EmbeddingModel, EmbeddingStatus } from '../models/embedding-model.ts'
import type { Observer } from '../observe/observer.ts'
import { inRange } from '../recall/request.ts'
import { shown } from '../scope/name.ts'
import type { VectorMaker } from '../storage/embeddings.ts'
import { type EmbeddingTasks, EmbeddingUpkeep } from './embeddings.ts'
import { type ErasureTasks, finishErasures } from './erasures.ts'
import { Loop, type Turn } from './loop.ts'

/** The background work of a store, as queries of its state: nothing is queued, so nothing can be lost. */
export type UpkeepTasks = ErasureTasks & EmbeddingTasks

export interface UpkeepStatus {
  /** What waits, by kind: erasures whose bytes are not overwritten, messages without a vector. */
  readonly backlog: { readonly erasures: number; readonly embeddings: number }
  /** Since when the oldest erasure waits: UTC milliseconds. */
  readonly oldestDue?: number
  readonly failures: readonly UpkeepFailure[]
  /** What makes the vectors; absent when nothing does. */
  readonly embedding?: EmbeddingStatus & {
    /** Tokens embedded a second of work, in this process; absent before the first. */
    readonly tokensPerSecond?: number
    /** Passages that the model refused: found by their words only. */
    readonly refused: number
  }
}

export interface UpkeepFailure {
  readonly kind: 'erasure' | 'embedding'
  /** The receipt, or the partition's number in the store. */
  readonly id: string
  readonly attempts: number
  readonly reason: string
}

export interface UpkeepRunOptions {
  /** Stops beginning new work after this long. Default 60. */
  readonly maxSeconds?: number
  /** Which work. Default: all. */
  readonly kinds?: readonly UpkeepKind[]
}

/** Kinds of work, in the order in which they are done. */
const upkeepKinds = ['erasures', 'embeddings'] as const
export type UpkeepKind = (typeof upkeepKinds)[number]

export interface UpkeepResult {
  readonly erasures: number
  /** Passages that got a vector. */
  readonly embedded: number
  /** True when nothing is left that could be done now. */
  readonly settled: boolean
}

const longestRunSeconds = 86_400

const nothing: Turn = { done: 0, settled: true }

export class Upkeep {
  readonly #tasks: UpkeepTasks
  readonly #model: EmbeddingModel | undefined
  readonly #erasing: Loop<Turn>
  readonly #embedding: Loop<Turn>

  /** Without a model nothing is embedded. `holder` is this process's own id. */
  constructor(tasks: UpkeepTasks, clock: Clock, observer: Observer, model: EmbeddingModel | undefined, holder: string) {
    this.#tasks = tasks
    this.#model = model
    const failed = (error: unknown): void => observer.warn('UPKEEP_FAILED', error instanceof Error ? error.message : String(error), 'upkeep')
    const embedding = model === undefined ? undefined : new EmbeddingUpkeep(tasks, model, clock, observer, holder)
    this.#erasing = new Loop((until) => finishErasures(tasks, clock, observer, until), failed)
    this.#embedding = new Loop(async (until, signal) => embedding?.turn(until, signal) ?? nothing, failed)
  }

  /** Does what is due, within bounds; what is going on is waited for first. */
  async run({ maxSeconds = 60, kinds = upkeepKinds }: UpkeepRunOptions = {}): Promise<UpkeepResult> {
    const seconds = inRange('maxSeconds', maxSeconds, 0, longestRunSeconds, false)
    for (const kind of kinds) if (!upkeepKinds.includes(kind)) throw new InvalidOption({ option: 'kinds', received: shown(kind), expected: `a list of: ${upkeepKinds.join(', ')}` })
    const start = performance.now()
    const erased = kinds.includes('erasures') ? await this.#erasing.run(seconds) : nothing
    const left = Math.max(0, seconds - (performance.now() - start) / 1_000)
    const embedded = kinds.includes('embeddings') ? await this.#embedding.run(left) : nothing
    return { erasures: erased.done, embedded: embedded.done, settled: erased.settled && embedded.settled }
  }

  /** Gets what was erased out of the files' bytes, now. */
  finishErasures(): Promise<Turn> {
    return this.#erasing.run(60)
  }

  /** There is something new to embed. */
  hint(): void {
    this.#embedding.hint()
  }

  async status(): Promise<UpkeepStatus> {
    const pending = await this.#tasks.pendingErasures()
    const [oldest] = pending
    const erasing = pending.flatMap(({ id, attempts, reason }) => (reason === undefined ? [] : [{ kind: 'erasure' as const, id, attempts, reason }]))
    const embedding = await this.#embeddingStatus()
    return {
      backlog: { erasures: pending.length, embeddings: embedding?.messages ?? 0 },
      ...(oldest === undefined ? {} : { oldestDue: oldest.at }),
      failures: [...erasing, ...(embedding?.failures ?? [])],
      ...(embedding === undefined ? {} : { embedding: embedding.status }),
    }
  }

  /** Looks now and then, without keeping the process alive. */
  startBackground(): void {
    this.#erasing.startBackground()
    if (this.#model !== undefined) this.#embedding.startBackground()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#erasing.stop(), this.#embedding.stop()])
  }

  async #embeddingStatus() {
    if (this.#model === undefined) return undefined
    const status = this.#model.status()
    const { messages, refused, failures } = await this.#tasks.embeddingBacklog(await makerOf(this.#model))
    const tokensPerSecond = status.ms === 0 ? {} : { tokensPerSecond: Math.round((status.tokens / status.ms) * 1_000) }
    // Before its first answer a model has no partition's row to fail in.
    const unasked = failures.length === 0 && messages > 0 && status.failure !== undefined ? [{ kind: 'embedding' as const, id: status.name, attempts: 1, reason: status.failure }] : []
    return {
      messages,
      failures: unasked.length > 0 ? unasked : failures.map(({ partition, attempts, reason }) => ({ kind: 'embedding' as const, id: String(partition), attempts, reason })),
      status: { ...status, ...tokensPerSecond, refused },
    }
  }
}

/** Who the model is, if it can tell now: until it does, everything waits for it. */
async function makerOf(model: EmbeddingModel): Promise<VectorMaker | undefined> {
  try {
    return await model.identity({ priority: 'query', holdsProcess: false })
  } catch (error) {
    if (error instanceof ModelFailed) return undefined
    throw error
  }
}
