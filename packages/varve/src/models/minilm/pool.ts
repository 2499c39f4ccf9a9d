import { ModelFailed } from '../../errors/model-failed.ts'
import { PackageFileMissing } from '../../errors/package-file-missing.ts'
import { fromWire } from '../../errors/wire.ts'
import { identity } from './identity.ts'
import { type Job, Jobs, type JobSlice } from './jobs.ts'
import type { Ready } from './protocol.ts'
import type { StartThread, ThreadHandle } from './thread-handle.ts'

/** The most threads that end in a row without having done anything: then no further one is started. */
const maxEndsInARow = 3

/** Waiting slices a thread before another thread is worth its memory. */
const slicesPerThread = 4

interface Seat {
  readonly thread: ThreadHandle
  state: 'loading' | 'idle' | 'busy'
}

/** Threads, started when they are needed, and the calls that wait for them. */
export class Pool {
  readonly #start: StartThread
  #maxThreads: number
  readonly #seats = new Set<Seat>()
  readonly #jobs = new Jobs()
  /** Pending calls of `load`, which wait for a thread with the model loaded. */
  #waiting: PromiseWithResolvers<void> | undefined
  #endsInARow = 0
  /** The reason why nothing works any more: the model cannot be loaded, its threads keep ending, or it was closed. */
  #failure: ModelFailed | undefined
  #closed: Promise<unknown> | undefined
  /** The runtime of the last thread that loaded. */
  ready: Ready | undefined
  tokens = 0
  ms = 0

  constructor(start: StartThread, maxThreads: number) {
    this.#start = start
    this.#maxThreads = maxThreads
  }

  /** The number of threads with the model loaded. */
  get threads(): number {
    return [...this.#seats].filter(({ state }) => state !== 'loading').length
  }

  /** True when threads are loading the model and none has it yet. */
  get isLoading(): boolean {
    return this.#seats.size > 0 && this.threads === 0
  }

  get failure(): ModelFailed | undefined {
    return this.#failure
  }

  /** Resolves when a thread has the model loaded; rejects with ModelFailed when none will. */
  load(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.threads > 0) return Promise.resolve()
    this.#waiting ??= Promise.withResolvers()
    const { promise } = this.#waiting
    this.#pump()
    return promise
  }

  /** Adds a call, which is resolved or rejected later, unless it is withdrawn. Throws ModelFailed when it cannot be done. */
  add(job: Job): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#jobs.add(job)
    this.#pump()
  }

  withdraw(job: Job): void {
    this.#jobs.withdraw(job)
    this.#holdProcess()
  }

  /** Rejects all unanswered calls and ends the threads. */
  async close(): Promise<void> {
    this.#failure = failed('it is closed', false)
    this.#rejectAll(this.#failure)
    this.#closed ??= Promise.all([...this.#seats].map(({ thread }) => thread.end()))
    await this.#closed
  }

  #pump(): void {
    for (const seat of this.#seats) {
      const work = seat.state === 'idle' ? this.#jobs.take() : undefined
      if (work !== undefined) void this.#work(seat, work)
    }
    const isWorthIt =
      this.#seats.size === 0
        ? this.#jobs.waiting > 0 || this.#waiting !== undefined
        : this.#jobs.waiting > slicesPerThread * this.#seats.size
    if (isWorthIt && this.#seats.size < this.#maxThreads) void this.#open()
    this.#holdProcess()
  }

  #holdProcess(): void {
    const holds = this.#jobs.holdProcess
    for (const { thread } of this.#seats) thread.hold(holds)
  }

  async #open(): Promise<void> {
    let seat: Seat | undefined
    try {
      seat = { thread: this.#start(), state: 'loading' }
      this.#seats.add(seat)
      const answer = await seat.thread.ready
      if (answer.kind === 'failed') return this.#cannotLoad(seat, fromWire(answer.error))
      this.ready = answer
      seat.state = 'idle'
      this.#waiting?.resolve()
      this.#waiting = undefined
      this.#pump()
    } catch (error) {
      this.#lose(seat, undefined, error)
    }
  }

  async #work(seat: Seat, work: JobSlice): Promise<void> {
    seat.state = 'busy'
    try {
      const { vectors, tokens, ms } = await seat.thread.run(work.slice.texts)
      seat.state = 'idle'
      this.#endsInARow = 0
      this.tokens += tokens
      this.ms += ms
      this.#jobs.deliver(work, vectors)
      this.#pump()
    } catch (error) {
      this.#lose(seat, work.job, error)
    }
  }

  /**
   * Notes that a thread cannot load the model. Another working thread is enough. Without one the model has failed, and
   * later calls do not try again.
   */
  #cannotLoad(seat: Seat, why: Error): void {
    this.#leave(seat)
    if (this.#seats.size > 0) this.#maxThreads = this.#seats.size
    else this.#giveUp(why instanceof ModelFailed ? why : failed(`it cannot be loaded: ${why.message}`, false, why))
  }

  /** Notes that a thread has ended: its call is lost, and waiting slices get another thread. */
  #lose(seat: Seat | undefined, job: Job | undefined, error: unknown): void {
    if (seat !== undefined) this.#leave(seat)
    if (this.#failure !== undefined) return
    if (error instanceof PackageFileMissing) return this.#giveUp(failed(error.message.replace(/\.$/, ''), false, error))
    const why = error instanceof ModelFailed ? error : failed(`its thread cannot be started: ${String(error)}`, true, error)
    this.#endsInARow += 1
    if (this.#endsInARow >= maxEndsInARow) {
      return this.#giveUp(
        failed(`${maxEndsInARow} threads in a row ended; the last: ${why.reason}. Start the process anew to try again`, false, why),
      )
    }
    if (job !== undefined) this.#jobs.reject(job, why)
    this.#pump()
  }

  #leave(seat: Seat): void {
    this.#seats.delete(seat)
    void seat.thread.end()
  }

  #giveUp(why: ModelFailed): void {
    this.#failure ??= why
    this.#rejectAll(this.#failure)
    for (const seat of [...this.#seats]) this.#leave(seat)
  }

  #rejectAll(why: ModelFailed): void {
    this.#jobs.rejectAll(why)
    this.#waiting?.reject(why)
    this.#waiting = undefined
  }
}

function failed(reason: string, isRetryable: boolean, cause?: unknown): ModelFailed {
  return new ModelFailed({ model: identity.name, reason, isRetryable }, { cause })
}
