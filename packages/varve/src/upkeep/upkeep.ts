import { settleMs } from '../bank/settled.ts'
import type { Clock } from '../clock/clock.ts'
import type { DueScope } from '../storage/due-place.ts'
import type { ModelCalls } from '../distil/model-calls.ts'
import type { Noted } from '../distil/notes-updater.ts'
import { Cancelled } from '../errors/cancelled.ts'
import { fromWire } from '../errors/wire.ts'
import { ownReason } from '../errors/wordless.ts'
import { MemoryClosed } from '../errors/memory-closed.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import { StoreBusy } from '../errors/store-busy.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { Observer } from '../observe/observer.ts'
import type { privacyWrites } from '../privacy/writes.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import type { Listed } from '../storage/listed.ts'
import type { PartitionWork, UpkeepRun } from '../storage/log/runs.ts'
import type { Called } from '../storage/offer.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { kindOfWork } from '../storage/work.ts'
import type { DocumentTurn } from './documents.ts'
import { type EmbeddingStore, EmbeddingUpkeep } from './embeddings.ts'
import type { LayerTurn } from './layers.ts'
import { Loop, untilWoken, type UpkeepTurn } from './loop.ts'
import type { upkeepReads } from './reads.ts'
import { type OpenRun, RunLog } from './run-log.ts'
import { nothingDone, together, upkeepKinds, type UpkeepResult, type UpkeepRunOptions } from './upkeep-result.ts'
import type { UpkeepStatus } from './upkeep-status.ts'
import type { Reach } from './waiting.ts'
import type { upkeepWork } from './work.ts'
import type { upkeepWrites } from './writes.ts'

/** The store's part of upkeep. */
export interface UpkeepStore extends EmbeddingStore {
  readonly read: Called<typeof upkeepReads>
  /** Writes layers, where the data is; ends early when the signal is aborted. */
  work(signal: AbortSignal): Called<typeof upkeepWork>
  readonly finishErasures: Called<typeof privacyWrites>['finish']
  readonly noteRun: Called<typeof upkeepWrites>['noteRun']
  /** The longest pause between two looks for work in a process without any: milliseconds. */
  readonly longestRestMs: number
}

/**
 * The tools of upkeep beside the store. Without an embedding model nothing is embedded. Without language models the
 * extractive writers write.
 */
export interface UpkeepMeans {
  readonly embeddingModel: EmbeddingModel | undefined
  /** The calls of each language model. */
  readonly calls: readonly ModelCalls[]
  /** Bits of the layers that are on unless a project says otherwise. */
  readonly layers: number
  /** This process's own id, under which it holds its leases. */
  readonly holder: string
}

/** The calls that hand readings to the host's own model, and take its answers. */
export type ReadingCalls = Pick<Called<typeof upkeepWork>, 'nextReading' | 'doneReading'>

/** A turn with its work, as the log tells it. */
interface LoggedTurn extends UpkeepTurn {
  readonly work: readonly PartitionWork[]
}

type LoggedLayers = LayerTurn & LoggedTurn

const nothing: LoggedTurn = { done: 0, settled: true, work: [] }
const noLayers: LoggedLayers = { ...nothing, distilled: 0, digested: 0, documented: 0, noted: 0 }

/** The tries, and the pause between them, of a caller who wants a session read while another reads it. */
const triesToDistil = 600
const pauseToDistilMs = 200

/**
 * The time between two searches of the background for sessions that lack a layer which was switched on later. A search
 * looks at all sessions.
 */
const lackingEveryMs = 60_000

/** Notes that nobody asked for are due only while talk may be going on. */
const runningMs = 7 * 86_400_000

export class Upkeep {
  readonly #store: UpkeepStore
  readonly #clock: Clock
  readonly #means: UpkeepMeans
  readonly #model: EmbeddingModel | undefined
  readonly #erasing: Loop<LoggedTurn>
  readonly #embedding: Loop<LoggedTurn>
  readonly #distilling: Loop<LoggedLayers>
  /** Looks for work, and wakes the others when there is some: an idle process asks the store one thing. */
  readonly #looking: Loop<LoggedTurn>
  readonly #log: RunLog
  #noneLackedAt = Number.NEGATIVE_INFINITY
  readonly #ending = new AbortController()
  /** Calls that wait for a session to be read. Each gives its session back before the store is closed. */
  readonly #asked = new Set<Promise<void>>()

  constructor(store: UpkeepStore, clock: Clock, observer: Observer, means: UpkeepMeans) {
    const { embeddingModel: model, holder } = means
    this.#store = store
    this.#clock = clock
    this.#means = means
    this.#model = model
    const failed = (error: unknown): void => observer.warn('UPKEEP_FAILED', ownReason(error), 'upkeep')
    const embedding = model === undefined ? undefined : new EmbeddingUpkeep(store, model, clock, observer, holder)
    this.#log = new RunLog((run) => store.noteRun(run), clock, failed)
    const told = (turn: LoggedTurn, since: number): void => {
      this.#log.add(this.#log.background(), turn.work, since)
      if (turn.done > 0) this.#looking.stir()
    }
    const rest = { longestMs: untilWoken, share: 1 }
    this.#erasing = new Loop(() => this.#erase(observer), failed, told, rest)
    this.#embedding = new Loop((until, signal) => this.#embed(embedding, until, signal), failed, told, rest)
    this.#distilling = new Loop(
      (until, signal) => this.#turn({ until, signal, run: this.#log.background() }, undefined, undefined, 'background'),
      ...([failed, told, rest] as const),
    )
    const looks = { longestMs: store.longestRestMs, share: shareOf(holder) }
    this.#looking = new Loop(() => this.#look(embedding), failed, undefined, looks)
  }

  async #erase(observer: Observer): Promise<LoggedTurn> {
    const { done, settled, left, reason } = await this.#store.finishErasures()
    if (done > 0) {
      observer.count('erased', done)
      observer.emit({ type: 'erased', receipts: done })
    }
    if (done + left === 0) return { done, settled, work: [] }
    const failures = reason === undefined ? [] : [{ code: 'STORE_FAILED', reason, count: 1 }]
    const failed = reason === undefined ? 0 : left
    return { done, settled, work: [{ kind: 'erasure', partition: undefined, due: done + left, done, failed, failures }] }
  }

  async #embed(embedding: EmbeddingUpkeep | undefined, until: number, signal: AbortSignal): Promise<LoggedTurn> {
    const turn = (await embedding?.turn(until, signal)) ?? nothing
    return { ...turn, work: embedding?.worked() ?? [] }
  }

  /** Looks for work of each kind, and wakes those who do it. The writer of layers is not started when nothing is due. */
  async #look(embedding: EmbeddingUpkeep | undefined): Promise<LoggedTurn> {
    await this.#log.endBackground()
    const lacking = performance.now() - this.#noneLackedAt > lackingEveryMs
    const canAsk = this.#means.calls.some((calls) => calls.isUp())
    const bounds = { layers: this.#means.layers, canAsk, lacking, since: this.#clock.now() - runningMs }
    const due = await this.#store.read.dueWork({ ...bounds, embedding: embedding?.wanted() })
    if (lacking) this.#noneLackedAt = performance.now()
    if (due.erasures) this.#erasing.wake()
    if (due.embeddings) this.#embedding.wake()
    if (due.layers) this.#distilling.wake()
    return nothing
  }

  async #turn(
    { until, signal, run }: { until: number; signal: AbortSignal; run: OpenRun },
    calls: number | undefined,
    only: DueScope | undefined,
    reach: Reach,
  ): Promise<LoggedLayers> {
    const since = performance.now()
    const bounds = { ms: Math.max(0, until - since), run: run.id, ...(calls === undefined ? {} : { calls }) }
    const turn = await this.#store.work(signal).turn(bounds, only, reach)
    if (!('error' in turn)) return turn
    this.#log.add(run, turn.work, since)
    throw fromWire(turn.error)
  }

  /** Requests to all models since the process began. */
  get #made(): number {
    return this.#means.calls[0]?.made ?? 0
  }

  /**
   * Does due work, within bounds: of everything, or of some partitions one after the other. Waits first for a turn that is
   * under way.
   */
  run(options: UpkeepRunOptions = {}, only: readonly DueScope[] = []): Promise<UpkeepResult> {
    return this.#unlessEnded(this.#logged(options, only))
  }

  async #logged(options: UpkeepRunOptions, only: readonly DueScope[]): Promise<UpkeepResult> {
    const run = this.#log.asked(JSON.stringify(only))
    let isSettled = true
    try {
      const result = await this.#run(options, only, run)
      isSettled = result.settled
      return result
    } finally {
      await this.#log.end(run, isSettled)
    }
  }

  async #run(
    { maxSeconds = 60, kinds = upkeepKinds, maxCalls, all = false }: UpkeepRunOptions,
    only: readonly DueScope[],
    run: OpenRun,
  ): Promise<UpkeepResult> {
    const start = performance.now()
    const left = (): number => Math.max(0, maxSeconds - (performance.now() - start) / 1_000)
    const calls = maxCalls === undefined ? undefined : this.#made + maxCalls
    const reach = all ? 'all' : 'asked'
    const doing = async <Turn extends LoggedTurn>(work: Promise<Turn>): Promise<Turn> => {
      const since = performance.now()
      const turn = await work
      this.#log.add(run, turn.work, since)
      return turn
    }
    const erased = kinds.includes('erasures') ? await doing(this.#erasing.run(left())) : nothing
    const embedded = kinds.includes('embeddings') ? await doing(this.#embedding.run(left())) : nothing
    let result: UpkeepResult = {
      ...nothingDone,
      erasures: erased.done,
      embedded: embedded.done,
      settled: erased.settled && embedded.settled,
    }
    for (const scope of only.length === 0 ? [undefined] : only) {
      const layered = kinds.includes('layers')
        ? await doing(this.#distilling.run(left(), (until, signal) => this.#turn({ until, signal, run }, calls, scope, reach)))
        : noLayers
      const { distilled, digested, documented, noted, settled } = layered
      const waiting = layered.waiting ?? (await this.#store.read.waiting(this.#means.layers, scope))
      result = together(result, { ...nothingDone, distilled, digested, documented, noted, settled, waiting })
    }
    // Derived texts are to be found as well.
    const derived = result.distilled + result.digested + result.documented + result.noted
    if (derived === 0 || !kinds.includes('embeddings')) return result
    const more = await doing(this.#embedding.run(left()))
    return { ...result, embedded: result.embedded + more.done, settled: result.settled && more.settled }
  }

  /** Lists runs of upkeep, those of this process included up to now. */
  async runs(...asked: Parameters<UpkeepStore['read']['runs']>): Promise<Listed<UpkeepRun>> {
    await this.#log.endBackground(true)
    return this.#store.read.runs(...asked)
  }

  /**
   * Reads one session now, due or not. `once` adds layers (bits), on or off. Waits, within bounds, while another reads
   * it. `due` rejects when the session is gone.
   */
  async distil(due: () => Promise<DueSession>, signal: AbortSignal | undefined, once = 0): Promise<void> {
    await this.#asking('distil', signal, async (work) => {
      const session = await due()
      return session.wanted === 0 || (await work.session(session, once)) ? true : undefined
    })
  }

  /** Works the facts of a partition into documents, now. */
  documents(only: DueScope, signal: AbortSignal | undefined): Promise<DocumentTurn> {
    return this.#asking('memorize', signal, (work) => work.documents(only))
  }

  /** Updates the notes of one session now, due or not. Waits, within bounds, for another update of them. */
  async notes(due: () => Promise<DueNotes>, signal: AbortSignal | undefined): Promise<Noted> {
    return this.#asking('notes', signal, async (work) => {
      const noted = await work.notes(await due())
      return noted?.outcome === 'stale' ? undefined : noted
    })
  }

  /** Gives the calls about readings. They end early when the signal is aborted, or upkeep is stopped. */
  readings(signal: AbortSignal | undefined): ReadingCalls {
    const { nextReading, doneReading } = this.#store.work(
      signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]),
    )
    return {
      nextReading: (...asked) => this.#held(this.#unlessEnded(nextReading(...asked))),
      doneReading: (...asked) => this.#held(this.#unlessEnded(doneReading(...asked))),
    }
  }

  /** Tries until there is a result. Each caller gives back what it holds before the store is closed. */
  async #asking<Result>(
    operation: string,
    signal: AbortSignal | undefined,
    attempt: (work: Called<typeof upkeepWork>) => Promise<Result | undefined>,
  ): Promise<Result> {
    return this.#held(this.#unlessEnded(this.#tryAgain(operation, signal, attempt)))
  }

  /** Holds a call until it is done: stopping waits for it. */
  async #held<Result>(asked: Promise<Result>): Promise<Result> {
    const settled = asked.then(
      () => undefined,
      () => undefined,
    )
    this.#asked.add(settled)
    try {
      return await asked
    } finally {
      this.#asked.delete(settled)
    }
  }

  async #tryAgain<Result>(
    operation: string,
    signal: AbortSignal | undefined,
    attempt: (work: Called<typeof upkeepWork>) => Promise<Result | undefined>,
  ): Promise<Result> {
    const either = signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal])
    const work = this.#store.work(either)
    for (let tries = 0; tries < triesToDistil && !either.aborted; tries += 1) {
      const result = await attempt(work)
      if (result !== undefined) return result
      await new Promise((resolve) => setTimeout(resolve, pauseToDistilMs))
    }
    if (signal?.aborted === true) throw new Cancelled({ operation }, { cause: signal.reason })
    if (this.#ending.signal.aborted) throw new MemoryClosed()
    throw new StoreBusy({ store: 'this session' })
  }

  /** Rejects with MemoryClosed for work that the close broke off, a model's call included. */
  async #unlessEnded<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      throw error instanceof Cancelled && this.#ending.signal.aborted ? new MemoryClosed({}, { cause: error }) : error
    }
  }

  /** Overwrites the bytes of erased words in the files, now. */
  finishErasures(): Promise<UpkeepTurn> {
    return this.#erasing.run(60)
  }

  /** Tells the background that there is something new to embed, and perhaps other work. */
  hint(): void {
    this.#embedding.hint()
    this.#looking.stir()
  }

  /** Tells the background that another instance may have left work. */
  heard(): void {
    this.#looking.stir()
  }

  async status(): Promise<UpkeepStatus> {
    const { erasures, reading, work, notes, edits, costs, waiting } = await this.#store.read.backlog(this.#means.layers)
    const settled = reading.oldest === undefined ? Infinity : reading.oldest + settleMs
    const due = [erasures[0]?.at, settled <= this.#clock.now() ? settled : undefined].filter((at) => at !== undefined)
    const erasing = erasures.flatMap(({ id, attempts, reason }) =>
      reason === undefined ? [] : [{ kind: 'erasure' as const, id, attempts, reason }],
    )
    const failing = work.map(({ kind, ref, attempts, reason }) => ({
      kind: kindOfWork(kind),
      id: String(ref),
      attempts,
      reason: reason ?? '',
    }))
    const embedding = await this.#embeddingStatus()
    return {
      backlog: { erasures: erasures.length, embeddings: embedding?.messages ?? 0, ...reading.waiting, edits, notes },
      waiting,
      provisional: reading.provisional,
      ...(due.length === 0 ? {} : { oldestDue: Math.min(...due) }),
      failures: [...erasing, ...(embedding?.failures ?? []), ...failing],
      cost: costs,
      ...modelIn(this.#means.calls),
      ...(embedding === undefined ? {} : { embedding: embedding.status }),
    }
  }

  /** Starts the background loops, which do not keep the process alive. */
  startBackground(): void {
    this.#erasing.startBackground()
    if (this.#model !== undefined) this.#embedding.startBackground()
    this.#distilling.startBackground()
    this.#looking.startBackground()
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    // Failures of those were reported to their callers.
    const loops = [this.#looking, this.#erasing, this.#embedding, this.#distilling]
    await Promise.all([...loops.map((loop) => loop.stop()), Promise.allSettled(this.#asked)])
    await this.#log.endBackground(true)
  }

  async #embeddingStatus() {
    if (this.#model === undefined) return undefined
    const status = this.#model.status()
    const { messages, refused, failures } = await this.#store.embeddings.backlog(await makerOf(this.#model))
    const tokensPerSecond = status.ms === 0 ? {} : { tokensPerSecond: Math.round((status.tokens / status.ms) * 1_000) }
    // Before its first answer a model has no partition's row to fail in.
    const unasked =
      failures.length === 0 && messages > 0 && status.failure !== undefined
        ? [{ kind: 'embedding' as const, id: status.name, attempts: 1, reason: status.failure }]
        : []
    return {
      messages,
      failures:
        unasked.length > 0
          ? unasked
          : failures.map(({ partition, attempts, reason }) => ({ kind: 'embedding' as const, id: String(partition), attempts, reason })),
      status: { ...status, ...tokensPerSecond, refused },
    }
  }
}

/** Gives a number from 0 to 1 that differs from process to process: the end of its id is random. */
function shareOf(holder: string): number {
  const digits = holder.slice(-4)
  return (Number.parseInt(digits, 16) || 0) / 0xffff
}

/** Reads the model's identity, if it can tell it now. Until it does, everything waits for it. */
async function makerOf(model: EmbeddingModel): Promise<VectorMaker | undefined> {
  try {
    return await model.identity({ priority: 'query', holdsProcess: false })
  } catch (error) {
    if (error instanceof ModelFailed) return undefined
    throw error
  }
}

/** Gives the status of the language model, if there is one. */
function modelIn([calls]: readonly ModelCalls[]): Pick<UpkeepStatus, 'languageModel'> {
  return calls === undefined ? {} : { languageModel: { name: calls.name, ...(calls.isUp() ? {} : { notBefore: calls.notBefore }) } }
}
