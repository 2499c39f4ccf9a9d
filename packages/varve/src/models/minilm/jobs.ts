import { ModelFailed } from '../../errors/model-failed.ts'
import type { EmbedOptions } from '../embedding-model.ts'
import { identity } from './identity.ts'
import type { Slice } from './slices.ts'

/** The most texts that may wait: with more, some caller does not wait for its vectors. */
const maxWaitingTexts = 4096

/** An unanswered call to `embed`. */
export interface Job {
  readonly slices: readonly Slice[]
  readonly vectors: Float32Array[]
  /** The number of unfinished slices. */
  left: number
  readonly holdsProcess: boolean
  readonly priority: NonNullable<EmbedOptions['priority']>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** One slice of a call's texts: a thread embeds it at once. */
export interface JobSlice {
  readonly job: Job
  readonly slice: Slice
}

/** The unanswered calls and their waiting slices: queries first, each kind in the order of arrival. */
export class Jobs {
  readonly #open = new Set<Job>()
  readonly #queries: JobSlice[] = []
  readonly #background: JobSlice[] = []
  #waitingTexts = 0

  /** The number of waiting slices. */
  get waiting(): number {
    return this.#queries.length + this.#background.length
  }

  /** True when an open call keeps the process alive. */
  get holdProcess(): boolean {
    return [...this.#open].some(({ holdsProcess }) => holdsProcess)
  }

  /** Adds a call. Throws ModelFailed when too many texts wait. */
  add(job: Job): void {
    const texts = job.slices.reduce((sum, slice) => sum + slice.texts.length, 0)
    if (this.#waitingTexts + texts > maxWaitingTexts) {
      throw new ModelFailed({ model: identity.name, reason: `${this.#waitingTexts} texts wait for it already`, isRetryable: true })
    }
    this.#open.add(job)
    this.#waitingTexts += texts
    const lane = job.priority === 'query' ? this.#queries : this.#background
    for (const slice of job.slices) lane.push({ job, slice })
  }

  take(): JobSlice | undefined {
    const work = this.#queries.shift() ?? this.#background.shift()
    this.#waitingTexts -= work?.slice.texts.length ?? 0
    return work
  }

  /** Takes a slice's vectors, one after the other. The last slice answers the call; vectors of a withdrawn call are dropped. */
  deliver({ job, slice }: JobSlice, vectors: Float32Array): void {
    if (!this.#open.has(job)) return
    const { dimension } = identity
    // Copies: a view would take the whole slice along when it is sent to another thread.
    for (let row = 0; row < slice.texts.length; row += 1)
      job.vectors[slice.from + row] = vectors.slice(row * dimension, (row + 1) * dimension)
    job.left -= 1
    if (job.left > 0) return
    this.#open.delete(job)
    job.resolve()
  }

  /** Drops a call with its waiting slices; the vectors of a running slice are not used. */
  withdraw(job: Job): void {
    if (!this.#open.delete(job)) return
    for (const lane of [this.#queries, this.#background]) {
      const kept = lane.filter((work) => work.job !== job)
      for (const { job: owner, slice } of lane) if (owner === job) this.#waitingTexts -= slice.texts.length
      lane.splice(0, lane.length, ...kept)
    }
  }

  reject(job: Job, why: Error): void {
    if (!this.#open.has(job)) return
    this.withdraw(job)
    job.reject(why)
  }

  rejectAll(why: Error): void {
    for (const job of [...this.#open]) this.reject(job, why)
  }
}
