import { MessageChannel, type Worker, type WorkerOptions } from 'node:worker_threads'
import { EngineInterrupted } from '../../errors/engine-interrupted.ts'
import { VarveError } from '../../errors/varve-error.ts'
import type { Host } from '../../upkeep/host.ts'
import type { Cut } from '../cut.ts'
import { type Engine, type EngineTrouble, type Kind, portsOf } from '../engine.ts'
import { InFlight } from '../in-flight.ts'
import { attended, type EngineOptions } from '../inline.ts'
import { attending } from './attend.ts'
import { stateOf } from './host-state.ts'
import type { Arrived } from './line.ts'
import type { ServeOptions } from './serve.ts'
import { Thread } from './thread.ts'
import { threadFlags } from './thread-flags.ts'

/** The options of a thread. Whoever starts it names each of them: Next.js reads the call. */
export type ThreadStart = Required<Pick<WorkerOptions, 'workerData' | 'resourceLimits' | 'execArgv'>>

export interface ThreadEngineOptions extends EngineOptions {
  /** Starts a thread that serves one storage engine. */
  readonly start: (options: ThreadStart) => Worker
  readonly isSystemClock: boolean
}

/**
 * A thread's memory for objects, without the index's arrays. Left alone, the part for short-lived objects grows to tens
 * of MB in each thread, and the other keeps garbage of an import. The two limits saved 90 and 40 MB.
 *
 * A thread that does not write needs half of that part. That saved 16 MB after 100,000 messages were loaded and asked,
 * with recall as fast.
 */
const oldGenerationMb = 1024
const youngGenerationMb = { writes: 16, reads: 8 }

/** The questions that the writing thread answers before the reading thread is started: a short program needs no second one. */
const mostAnsweredByWriter = 16

/** The largest store that the writing thread may search. The first search of a larger one takes long, and writes would wait for it. */
const mostBytesOfSmallStore = 8 * 1024 * 1024

/** Rooms whose first read takes long: they load a tokenizer. */
const slowRooms: ReadonlySet<string> = new Set(['context', 'bank'])

/**
 * Runs calls in threads, so that neither an fsync nor a scan blocks the host's event loop.
 *
 * One thread writes. One answers, and is started when needed. One writes layers, and is started at the first call for
 * it. A thread that died is started anew.
 */
export async function startThreads(options: ThreadEngineOptions): Promise<Engine> {
  const engine = new ThreadEngine(options)
  await engine.begin()
  return engine.ports()
}

class ThreadEngine {
  readonly #options: ThreadEngineOptions
  readonly #inFlight = new InFlight()
  readonly #ports = portsOf((kind, name, args, signal) => this.#inFlight.hold(this.#call(kind, name, args, signal)))
  readonly #writer: Thread
  readonly #reader: Thread
  readonly #distiller: Thread
  #host: Host | undefined
  #told: (trouble: EngineTrouble) => void = () => undefined
  #heard: () => void = () => undefined
  #died = 0
  #lastReason: string | undefined
  #answered = 0
  #isSmall = true
  #isReadOnly = false
  #erasesAtOnce = true
  #longestRestMs = 0
  /** True once questions go to the reading thread. */
  #readerServes = false
  #isJoined = false
  /** True when leases may remain: the thread that held them died, or the thread that should take them back. */
  #isOrphaned = false

  constructor(options: ThreadEngineOptions) {
    this.#options = options
    const answering = { answer: (arrived: Arrived) => this.#relay(arrived) }
    this.#writer = new Thread({
      does: 'writes',
      start: () => this.#start(true),
      // The writing thread tells that another instance may have written.
      answering: { ...answering, told: () => this.#heard() },
      onTrouble: (trouble) => this.#trouble(trouble),
    })
    this.#reader = new Thread({
      does: 'answers',
      start: () => this.#start(false),
      answering,
      onTrouble: (trouble) => this.#trouble(trouble),
    })
    const attended = {
      answer: (arrived: Arrived, cut: Cut) => this.#attended(arrived, cut),
      told: (name: string, args: readonly never[]) => this.#tell(name, args),
    }
    this.#distiller = new Thread({
      does: 'writes layers',
      start: () => this.#start(false),
      answering: attended,
      onTrouble: (trouble) => this.#trouble(trouble),
    })
  }

  async begin(): Promise<void> {
    const { bytes, readOnly, erasesAtOnce, longestRestMs } = await this.#inFlight.hold(this.#writer.begin())
    this.#isReadOnly = readOnly
    this.#erasesAtOnce = erasesAtOnce
    this.#longestRestMs = longestRestMs
    this.#isSmall = bytes <= mostBytesOfSmallStore
  }

  ports(): Engine {
    return {
      ...this.#ports,
      readOnly: this.#isReadOnly,
      erasesAtOnce: this.#erasesAtOnce,
      diagnose: async () => {
        const bytes = await this.#ports.read('embeddings.indexBytes')
        return this.#threadFor('upkeep.diagnose').call({ kind: 'thread', name: 'diagnose', args: [bytes], now: 0 })
      },
      longestRestMs: this.#longestRestMs,
      attend: (host) => {
        this.#host = host
      },
      onTrouble: (told) => {
        this.#told = told
      },
      onHeard: (heard) => {
        this.#heard = heard
      },
      health: () => ({
        running: this.#threads().map(({ does }) => does),
        died: this.#died,
        ...(this.#lastReason === undefined ? {} : { lastReason: this.#lastReason }),
      }),
      close: () => this.#close(),
    }
  }

  #call(kind: Kind, name: string, args: readonly never[], signal: AbortSignal | undefined): Promise<unknown> {
    const now = this.#options.clock.now()
    // Messages were copied when they were checked: nobody changes them before they cross. An import has thousands of running appends.
    if (kind === 'write') return this.#writer.call({ kind, name, args, now }, { isGathered: name === 'log.append' })
    if (kind === 'distil') return this.#distil(name, args, now, signal)
    return this.#threadFor(name).call({ kind, name, args, now }, { signal })
  }

  /** Returns the thread for a question. Readers are started one after the other, so that none waits for one that it does not need. */
  #threadFor(name: string): Thread {
    if (this.#readerServes) return this.#reader
    const room = name.slice(0, name.indexOf('.'))
    const isSlow = !this.#isSmall || slowRooms.has(room)
    if (room !== 'upkeep' && room !== 'embeddings') this.#answered += 1
    if (!isSlow && this.#answered <= mostAnsweredByWriter && this.#writer.underWay === 0) return this.#writer
    this.#startReader()
    return isSlow ? this.#reader : this.#writer
  }

  #startReader(): void {
    if (this.#reader.isRunning) return
    const release = (): void => {
      this.#readerServes = true
      // The reading thread now keeps the objects that the writing thread kept for answers.
      void Promise.allSettled([this.#writer.call({ kind: 'thread', name: 'release', args: [], now: 0 })])
    }
    // If it cannot begin, the next question reports why.
    void Promise.allSettled([this.#reader.begin().then(release)])
  }

  async #distil(name: string, args: readonly never[], now: number, signal: AbortSignal | undefined): Promise<unknown> {
    await this.#join()
    const host = attended(this.#host)
    if (this.#isOrphaned) await this.#ports.write('distil.letGo', host.holder)
    this.#isOrphaned = false
    return this.#distiller.call({ kind: 'distil', name, args: [stateOf(host, this.#options.isSystemClock), ...args], now }, { signal })
  }

  /** Gives the layer writer's thread its line to the writing thread. */
  async #join(): Promise<void> {
    if (this.#isJoined && this.#distiller.isRunning && this.#writer.isRunning) return
    this.#isJoined = true
    const { port1, port2 } = new MessageChannel()
    const joined = Promise.all([
      this.#writer.call({ kind: 'thread', name: 'connect', args: ['answer', port1], now: 0 }, { transfer: [port1] }),
      this.#distiller.call({ kind: 'thread', name: 'connect', args: ['ask', port2], now: 0 }, { transfer: [port2] }),
    ])
    try {
      await joined
    } catch (error) {
      this.#isJoined = false
      // A port whose other end died with its thread cannot be sent.
      throw VarveError.is(error)
        ? error
        : new EngineInterrupted({ thread: this.#writer.does, reason: 'it ended while it was joined' }, { cause: error })
    }
  }

  /** Passes a call of one thread on to another, through the host. */
  #relay({ kind, name, args }: Arrived): Promise<unknown> {
    return kind === 'read'
      ? this.#call(kind, name, args, undefined)
      : Promise.reject(new TypeError(`a thread may not call ${kind} ${name}`))
  }

  #attended(arrived: Arrived, cut: Cut): Promise<unknown> {
    if (arrived.kind !== 'host') return this.#relay(arrived)
    return attending(attended(this.#host), this.#options.isSystemClock)(arrived.name, arrived.args, cut.signal)
  }

  #tell(name: string, args: readonly never[]): void {
    const { observer } = attended(this.#host)
    // remote-host.ts sends these, with the observer's own arguments.
    if (name === 'count' || name === 'emit' || name === 'notice' || name === 'warn') Reflect.apply(observer[name], observer, args)
  }

  #trouble(trouble: EngineTrouble): void {
    this.#died += 1
    this.#lastReason = `the thread that ${trouble.thread} ended: ${trouble.reason}`
    this.#isJoined = false
    // When a thread dies, a line on its way to it is lost silently.
    if (trouble.thread === this.#writer.does) this.#distiller.tell('writer gone')
    this.#isOrphaned ||= trouble.thread !== this.#reader.does
    if (!this.#reader.isRunning) this.#readerServes = false
    this.#told(trouble)
  }

  #start(writes: boolean): Worker {
    const { start, place, identity, segmentBytes, clock } = this.#options
    const workerData: ServeOptions = { place, writes, identity, segmentBytes, now: clock.now() }
    const maxYoungGenerationSizeMb = writes ? youngGenerationMb.writes : youngGenerationMb.reads
    return start({
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb, maxOldGenerationSizeMb: oldGenerationMb },
      execArgv: threadFlags,
    })
  }

  #threads(): Thread[] {
    return [this.#distiller, this.#reader, this.#writer].filter((thread) => thread.isRunning)
  }

  /**
   * Running calls finish first. Readers end before the writer, so that its last checkpoint meets none. All threads are
   * ended, whatever fails.
   */
  async #close(): Promise<void> {
    await this.#inFlight.none()
    const failures: unknown[] = []
    for (const thread of this.#threads()) await thread.close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}
