import type { Clock } from '../clock/clock.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import { storedReason } from '../errors/stored-reason.ts'
import { VarveError } from '../errors/varve-error.ts'
import { ownReason } from '../errors/wordless.ts'
import type { EmbeddingClaim, MadeVectors } from '../index/embedding-work.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { Observer } from '../observe/observer.ts'
import type { PartitionWork } from '../storage/log/runs.ts'
import type { RunWork } from '../storage/log/run-work.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import type { Called } from '../storage/offer.ts'
import type { UpkeepTurn } from './loop.ts'
import type { WantedVectors } from './reads.ts'
import { nothingOf, WorkTally } from './work-tally.ts'
import type { embeddingReads } from '../index/reads.ts'
import type { embeddingWrites } from '../index/writes.ts'

/** The store's part of embedding. */
export interface EmbeddingStore {
  readonly write: Called<typeof embeddingWrites>
  readonly embeddings: Called<typeof embeddingReads>
}

/** A claim without its texts: enough to store its vectors. */
type ClaimedItems = Pick<EmbeddingClaim, 'items' | 'progress'>

/** The most of one claim: some half a second of work, so that a crash costs no more and a stop waits no longer. */
const textsPerClaim = 64
const tokensPerClaim = 2_048

/** The lease of a claim, longer than its work takes. After it, another process may take the claim of a killed one. */
const leaseMs = 15_000
const providerLeaseMs = 120_000

/** The pause after a failure: it doubles from the first to the longest. */
const firstBackOffMs = 1_000
const longestBackOffMs = 600_000

/** After so many retryable failures in a row the texts are suspected: some models answer 500 to one text for ever. */
const patience = 2

/** Vectors of a model that had no turn for so long are removed. */
const outdatedAfterMs = 86_400_000

/** A text that every model takes: a model that refuses it refuses everything. */
const harmlessText = 'the'

/**
 * Gives messages their vectors, newest first. Due messages are read from the store each time, so nothing is queued and
 * nothing is lost.
 */
export class EmbeddingUpkeep {
  readonly #store: EmbeddingStore
  readonly #model: EmbeddingModel
  readonly #clock: Clock
  readonly #observer: Observer
  readonly #holder: string
  #failures = 0
  #notBefore = 0
  #work = new WorkTally(new Set())
  /** The model, as it last told who it is. */
  #maker: VectorMaker | undefined
  /** True once there was a message. Until then a provider is not even asked for its identity. */
  #hasMessages = false

  /** `holder` is this process's own id, under which it holds its claims. */
  constructor(store: EmbeddingStore, model: EmbeddingModel, clock: Clock, observer: Observer, holder: string) {
    this.#store = store
    this.#model = model
    this.#clock = clock
    this.#observer = observer
    this.#holder = holder
  }

  /** Embeds due texts until none is due, the time is over, or the model fails. */
  async turn(until: number, signal: AbortSignal): Promise<UpkeepTurn> {
    let made = 0
    if (this.#clock.now() < this.#notBefore) return { done: made, settled: true }
    this.#hasMessages ||= await this.#isDue(undefined)
    if (!this.#hasMessages) return { done: made, settled: true }
    const maker = await this.#identified()
    if (maker === undefined) return { done: made, settled: false }
    if (!(await this.#isDue(maker))) return { done: made, settled: await this.#keepFar(maker, until, signal) }
    while (performance.now() < until && !signal.aborted) {
      const done = await this.#claimAndEmbed(maker, signal)
      if (done === undefined) return { done: made, settled: await this.#finish(maker, until, signal) }
      if (done === 'failed') return { done: made, settled: false }
      made += done
    }
    return { done: made, settled: false }
  }

  /** Tells what a look for work is to look for; undefined while the model rests after a failure. */
  wanted(): WantedVectors | undefined {
    if (this.#clock.now() < this.#notBefore) return undefined
    return { maker: this.#maker, holder: this.#holder, outdatedAfterMs }
  }

  /** Counts the texts of a claim, each as `each` says. */
  #tally({ items }: ClaimedItems, { done = 0, failed = 0, failures = [] }: Partial<RunWork>): void {
    const texts = new Map<number, number>()
    for (const { partition } of items) texts.set(partition, (texts.get(partition) ?? 0) + 1)
    for (const [partition, count] of texts)
      this.#work.add({ ...nothingOf('embedding', partition), due: count, done: done * count, failed: failed * count, failures })
  }

  /** Gives the work since it was last asked for. */
  worked(): readonly PartitionWork[] {
    const work = this.#work.read()
    this.#work = new WorkTally(new Set())
    return work
  }

  #isDue(maker: VectorMaker | undefined): Promise<boolean> {
    return this.#store.embeddings.due(maker, this.#holder, outdatedAfterMs)
  }

  async #identified(): Promise<VectorMaker | undefined> {
    try {
      return (this.#maker = await this.#model.identity({ holdsProcess: false }))
    } catch (error) {
      this.#work.add({ ...nothingOf('embedding', undefined), failed: 1, failures: [{ ...storedReason(error), count: 1 }] })
      this.#backOff(error)
      return undefined
    }
  }

  /** Embeds one claim. Gives the number of passages that got a vector; undefined when nothing is due. */
  async #claimAndEmbed(maker: VectorMaker, signal: AbortSignal): Promise<number | 'failed' | undefined> {
    const { texts, tokens } = this.#model.limits
    const bound = { texts: Math.min(texts, textsPerClaim), tokens: Math.min(tokens, tokensPerClaim) }
    const {
      texts: wanted,
      attempts,
      ...claim
    } = await this.#store.write.claim(maker, this.#holder, this.#model.status().runtime === 'provider' ? providerLeaseMs : leaseMs, bound)
    if (claim.progress.length === 0) return undefined
    try {
      const vectors = await this.#embed(wanted, attempts >= patience, signal)
      const stored = await this.#store.write.store(claim, vectors, this.#holder)
      this.#failures = 0
      this.#tally(claim, { done: 1 })
      this.#observer.count('embedded', stored)
      return stored
    } catch (error) {
      if (signal.aborted) await this.#giveBack(claim)
      else {
        const failure = storedReason(error)
        this.#tally(claim, { failed: 1, failures: [{ ...failure, count: 1 }] })
        await this.#store.write.putOff(claim, this.#holder, this.#backOff(error), failure.reason)
      }
      return 'failed'
    }
  }

  /**
   * Makes vectors of texts. Null stands for a text that the model refuses while it takes others. With `suspected`, null
   * also stands for a text at which it keeps failing.
   */
  async #embed(texts: readonly string[], suspected: boolean, signal: AbortSignal): Promise<MadeVectors> {
    if (texts.length === 0) return []
    try {
      return await this.#ask(texts, signal)
    } catch (error) {
      if (!(error instanceof ModelFailed) || (error.isRetryable && !suspected)) throw error
      // When the model fails at a harmless text too, that failure is its own, and the one to report.
      if (error.isRetryable || texts.length === 1) await this.#ask([harmlessText], signal)
      if (texts.length === 1) return error.isRetryable ? this.#askAgain(texts, signal) : [null]
      const half = texts.length >> 1
      return [...(await this.#embed(texts.slice(0, half), suspected, signal)), ...(await this.#embed(texts.slice(half), suspected, signal))]
    }
  }

  #ask(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#model.embed(texts, { signal, priority: 'background' })
  }

  /** Tries a lone text once more: an occasional failure is no reason to leave a text without a vector. */
  async #askAgain(texts: readonly string[], signal: AbortSignal): Promise<MadeVectors> {
    try {
      return await this.#ask(texts, signal)
    } catch (error) {
      if (error instanceof ModelFailed) return [null]
      throw error
    }
  }

  #giveBack({ progress }: ClaimedItems): Promise<number> {
    return this.#store.write.store({ items: [], progress: progress.map((one) => ({ ...one, done: undefined })) }, [], this.#holder)
  }

  /** Gives the time of the next try, by the store's clock. */
  #backOff(error: unknown): number {
    const asked = error instanceof ModelFailed ? (error.retryAfterMs ?? 0) : 0
    this.#notBefore = this.#clock.now() + Math.max(asked, Math.min(longestBackOffMs, firstBackOffMs * 2 ** this.#failures))
    this.#failures += 1
    const reason = ownReason(error)
    this.#observer.warn(VarveError.is(error) ? error.code : 'MODEL_FAILED', reason, `model ${reason}`)
    return this.#notBefore
  }

  async #finish(maker: VectorMaker, until: number, signal: AbortSignal): Promise<boolean> {
    return (await this.#dropOutdated(maker, until, signal)) && this.#keepFar(maker, until, signal)
  }

  /** Copies vectors that the index has no room for. Returns whether all are copied that can be. */
  async #keepFar(maker: VectorMaker, until: number, signal: AbortSignal): Promise<boolean> {
    while (await this.#store.write.keepFar(maker)) {
      if (performance.now() > until || signal.aborted) return false
    }
    return true
  }

  async #dropOutdated(maker: VectorMaker, until: number, signal: AbortSignal): Promise<boolean> {
    while (await this.#store.write.dropOutdated(maker, this.#clock.now() - outdatedAfterMs)) {
      if (performance.now() > until || signal.aborted) return false
    }
    return true
  }
}
