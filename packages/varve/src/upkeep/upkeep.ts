import { settleMs } from '../bank/settled.ts'
import type { Clock } from '../clock/clock.ts'
import type { DueScope } from '../distil/due.ts'
import type { ModelCalls } from '../distil/model-calls.ts'
import type { Noted } from '../distil/notes-updater.ts'
import { Cancelled } from '../errors/cancelled.ts'
import { ownReason } from '../errors/wordless.ts'
import { MemoryClosed } from '../errors/memory-closed.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import { StoreBusy } from '../errors/store-busy.ts'
import type { EmbeddingModel, EmbeddingStatus } from '../models/embedding-model.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { Observer } from '../observe/observer.ts'
import type { privacyWrites } from '../privacy/writes.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import type { DistilledLayer } from '../storage/layers.ts'
import type { LayerCost } from '../storage/log/ledger.ts'
import type { Called } from '../storage/offer.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { kindOfWork, type WorkKind } from '../storage/work.ts'
import type { DocumentTurn } from './documents.ts'
import { type EmbeddingStore, EmbeddingUpkeep } from './embeddings.ts'
import type { LayerTurn } from './layers.ts'
import { Loop, type UpkeepTurn } from './loop.ts'
import type { upkeepReads } from './reads.ts'
import type { Reach, WaitingSessions } from './waiting.ts'
import type { upkeepWork } from './work.ts'

/** The store's part of upkeep. */
export interface UpkeepStore extends EmbeddingStore {
  readonly read: Called<typeof upkeepReads>
  /** Writes layers, where the data is; ends early when the signal is aborted. */
  work(signal: AbortSignal): Called<typeof upkeepWork>
  readonly finishErasures: Called<typeof privacyWrites>['finish']
  /** Tells whether the writer of layers runs already. If not, a look for due work comes first. */
  isWorking(): boolean
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

/** Sessions for each layer that is read from them. */
export type SessionsByLayer = Readonly<Record<DistilledLayer, number>>

/** The state of the background work. */
export interface UpkeepStatus {
  /**
   * Waiting work by kind. `erasures`: erasures whose bytes are not overwritten yet. `embeddings`: messages and derived
   * texts without a vector. By layer: sessions with messages that were not read, or were read before the layer was
   * switched on or rebuilt. `edits`: facts that wait to be worked into documents. `notes`: sessions whose notes are
   * due.
   */
  readonly backlog: SessionsByLayer & {
    readonly erasures: number
    readonly embeddings: number
    readonly edits: number
    readonly notes: number
  }
  /** Sessions that `run()` leaves for later. */
  readonly waiting: WaitingSessions
  /**
   * Sessions with provisional items, by layer. The extractive writer wrote them in place of the model. They serve, and
   * are written again.
   */
  readonly provisional: SessionsByLayer
  /** The time since which the oldest erasure, or the oldest settled unread session, waits: UTC milliseconds. */
  readonly oldestDue?: number
  /** The cost of the last 30 days, by layer. */
  readonly cost: readonly LayerCost[]
  /** The language model; absent when the extractive writer writes. */
  readonly languageModel?: { readonly name: string; readonly notBefore?: number }
  /** Work that failed and is tried again. */
  readonly failures: readonly UpkeepFailure[]
  /** The embedding model; absent when there is none. */
  readonly embedding?: EmbeddingStatus & {
    /** Tokens embedded a second of work, in this process; absent before the first. */
    readonly tokensPerSecond?: number
    /** Passages that the model refused. Recall finds them by their words only. */
    readonly refused: number
  }
}

/** A piece of work that failed. `attempts` counts its failures in a row. */
export interface UpkeepFailure {
  readonly kind: 'erasure' | 'embedding' | WorkKind
  /** The id of the receipt, or the number of the partition or session in the store. */
  readonly id: string
  readonly attempts: number
  readonly reason: string
}

/** The options of a run of upkeep. */
export interface UpkeepRunOptions {
  /** Begins no new work after so many seconds. Default 60. */
  readonly maxSeconds?: number | undefined
  /** The kinds of work. Default: all. */
  readonly kinds?: readonly UpkeepKind[] | undefined
  /**
   * Begins nothing new after so many requests to a language model. Begun work is finished, which may take a few more.
   * Default: no bound.
   */
  readonly maxCalls?: number | undefined
  /**
   * Reads every session that has something new, without waiting for 10 minutes of quiet or 20 messages. Default: false.
   * With a language model each session costs a call or more, again whenever something was added. Do not use it after
   * every write.
   */
  readonly all?: boolean | undefined
}

/** Kinds of work, in the order in which they are done. */
export const upkeepKinds = ['erasures', 'embeddings', 'layers'] as const
export type UpkeepKind = (typeof upkeepKinds)[number]

/** The result of a run of upkeep. */
export interface UpkeepResult {
  /** Erasures whose bytes were overwritten. */
  readonly erasures: number
  /** Passages that got a vector. */
  readonly embedded: number
  /** Sessions that were read to their end. */
  readonly distilled: number
  /** Digests that were made. */
  readonly digested: number
  /** Facts that were worked into documents. */
  readonly documented: number
  /** Sessions whose notes were brought up to date. */
  readonly noted: number
  /** True when nothing is left that could be done now. */
  readonly settled: boolean
  /** Sessions that are left for later, since they may go on. `run({ all: true })` reads them now. */
  readonly waiting: WaitingSessions
}

const nothing: UpkeepTurn = { done: 0, settled: true }
const noLayers: LayerTurn = { ...nothing, distilled: 0, digested: 0, documented: 0, noted: 0 }

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
  readonly #erasing: Loop<UpkeepTurn>
  readonly #embedding: Loop<UpkeepTurn>
  readonly #distilling: Loop<LayerTurn>
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
    this.#erasing = new Loop(() => this.#erase(observer), failed)
    this.#embedding = new Loop(async (until, signal) => embedding?.turn(until, signal) ?? nothing, failed)
    this.#distilling = new Loop((until, signal) => this.#look(until, signal), failed)
  }

  async #erase(observer: Observer): Promise<UpkeepTurn> {
    const turn = await this.#store.finishErasures()
    if (turn.done > 0) {
      observer.count('erased', turn.done)
      observer.emit({ type: 'erased', receipts: turn.done })
    }
    return turn
  }

  /** Runs a turn of the background. The writer of layers is not started when nothing is due. */
  async #look(until: number, signal: AbortSignal): Promise<LayerTurn> {
    if (!this.#store.isWorking()) {
      const lacking = performance.now() - this.#noneLackedAt > lackingEveryMs
      const canAsk = this.#means.calls.some((calls) => calls.isUp())
      const isDue = await this.#store.read.anyDue({ layers: this.#means.layers, canAsk, lacking, since: this.#clock.now() - runningMs })
      if (lacking) this.#noneLackedAt = performance.now()
      if (!isDue || signal.aborted) return noLayers
    }
    return this.#turn(until, signal, undefined, undefined, 'background')
  }

  #turn(until: number, signal: AbortSignal, calls: number | undefined, only: DueScope | undefined, reach: Reach): Promise<LayerTurn> {
    const bounds = { ms: Math.max(0, until - performance.now()), ...(calls === undefined ? {} : { calls: this.#made + calls }) }
    return this.#store.work(signal).turn(bounds, only, reach)
  }

  /** Requests to all models since the process began. */
  get #made(): number {
    return this.#means.calls[0]?.made ?? 0
  }

  /** Does due work, within bounds. Waits first for a turn that is under way. */
  run(options: UpkeepRunOptions = {}, only?: DueScope): Promise<UpkeepResult> {
    return this.#unlessEnded(this.#run(options, only))
  }

  async #run(
    { maxSeconds = 60, kinds = upkeepKinds, maxCalls, all = false }: UpkeepRunOptions,
    only: DueScope | undefined,
  ): Promise<UpkeepResult> {
    const start = performance.now()
    const left = (): number => Math.max(0, maxSeconds - (performance.now() - start) / 1_000)
    const erased = kinds.includes('erasures') ? await this.#erasing.run(left()) : nothing
    const embedded = kinds.includes('embeddings') ? await this.#embedding.run(left()) : nothing
    const layered = kinds.includes('layers')
      ? await this.#distilling.run(left(), (until, signal) => this.#turn(until, signal, maxCalls, only, all ? 'all' : 'asked'))
      : undefined
    // Derived texts are to be found as well.
    const more = layered !== undefined && layered.done > 0 && kinds.includes('embeddings') ? await this.#embedding.run(left()) : nothing
    return {
      erasures: erased.done,
      embedded: embedded.done + more.done,
      distilled: layered?.distilled ?? 0,
      digested: layered?.digested ?? 0,
      documented: layered?.documented ?? 0,
      noted: layered?.noted ?? 0,
      settled: erased.settled && embedded.settled && more.settled && layered?.settled !== false,
      waiting: await this.#store.read.waiting(this.#means.layers, only),
    }
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

  /** Tries until there is a result. Each caller gives back what it holds before the store is closed. */
  async #asking<Result>(
    operation: string,
    signal: AbortSignal | undefined,
    attempt: (work: Called<typeof upkeepWork>) => Promise<Result | undefined>,
  ): Promise<Result> {
    const asked = this.#unlessEnded(this.#tryAgain(operation, signal, attempt))
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

  /** Tells the background that there is something new to embed. */
  hint(): void {
    this.#embedding.hint()
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
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    // Failures of those were reported to their callers.
    await Promise.all([this.#erasing.stop(), this.#embedding.stop(), this.#distilling.stop(), Promise.allSettled(this.#asked)])
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
