import { ModelFailed } from '../../errors/model-failed.ts'
import type { EmbedOptions } from '../embedding-model.ts'
import { identity } from './identity.ts'
import type { Slice } from './slices.ts'

/** Texts that may wait: with more, something embeds without waiting for the vectors. */
const maxWaitingTexts = 4096

/** A call to `embed` that is not answered yet. */
export interface Job {
  readonly slices: readonly Slice[]
  readonly vectors: Float32Array[]
  /** Slices that are not done. */
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

/** The calls that are not answered, and what of them waits for a thread: queries first, each kind in the order in which it came. */
export class Jobs {
  readonly #open = new Set<Job>()
  readonly #queries: JobSlice[] = []
  readonly #background: JobSlice[] = []
  #waitingTexts = 0

  /** Slices that wait. */
  get waiting(): number {
    return this.#queries.length + this.#background.length
  }

  /** Whether a call is open that keeps the process alive. */
  get holdProcess(): boolean {
    return [...this.#open].some(({ holdsProcess }) => holdsProcess)
  }

  /** Throws ModelFailed when too much waits. */
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

  /** Takes a slice's vectors, one after the other, and answers the call if they were the last; those of a call that is gone are dropped. */
  deliver({ job, slice }: JobSlice, vectors: Float32Array): void {
    if (!this.#open.has(job)) return
    const { dimension } = identity
    // Copies: a view would drag the whole slice along when it is sent to another thread.
    for (let row = 0; row < slice.texts.length; row += 1)
      job.vectors[slice.from + row] = vectors.slice(row * dimension, (row + 1) * dimension)
    job.left -= 1
    if (job.left > 0) return
    this.#open.delete(job)
    job.resolve()
  }

  /** Forgets a call and what waits of it; what is under way is not used. */
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
