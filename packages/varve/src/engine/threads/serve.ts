import type { MessagePort } from 'node:worker_threads'
import type { OpenOptions, StoreEngine } from '../../storage/store-engine.ts'
import { EngineInterrupted } from '../../errors/engine-interrupted.ts'
import type { Cut } from '../cut.ts'
import { attended } from '../inline.ts'
import type { EngineCall } from '../engine.ts'
import { Post } from '../post.ts'
import type { HostState } from './host-state.ts'
import { type Arrived, Line } from './line.ts'
import { RemoteHost } from './remote-host.ts'
import type { Begun } from './thread.ts'

/** The options with which a thread is started. */
export interface ServeOptions extends Omit<OpenOptions, 'onHeard'> {
  readonly segmentBytes: number
}

/** Answers the engine's calls in a thread, from `begin` to `close`. It listens at once, and loads the storage engine to begin. */
export function serve(port: MessagePort, loadEngine: () => Promise<StoreEngine>, options: ServeOptions): object {
  return new Served(port, loadEngine, options)
}

class Served {
  readonly #loadEngine: () => Promise<StoreEngine>
  readonly #options: ServeOptions
  /** The line to the host. */
  readonly #line: Line
  /** The line from the layer writer's thread to the writing thread. */
  #writer: Line | undefined
  #host: RemoteHost | undefined
  #post: Post | undefined

  constructor(port: MessagePort, loadEngine: () => Promise<StoreEngine>, options: ServeOptions) {
    this.#loadEngine = loadEngine
    this.#options = options
    this.#line = new Line(port, { answer: (arrived, cut) => this.#answer(arrived, cut), told: () => this.#writerGone() })
  }

  #answer({ kind, name, args, now }: Arrived, cut: Cut): Promise<unknown> {
    if (kind === 'thread') return this.#managed(name, args)
    if (kind === 'read' || kind === 'write') return this.#posted().answer(kind, name, args, now, cut)
    if (kind !== 'distil') return Promise.reject(new TypeError(`a thread does not answer ${kind}`))
    const [state, ...given] = args
    if (state !== undefined) this.#heard(state)
    return this.#posted().answer(kind, name, given, now, cut)
  }

  async #managed(name: string, args: readonly never[]): Promise<unknown> {
    const [first, second] = args
    if (name === 'begin') return this.#begin()
    if (name === 'connect' && first !== undefined && second !== undefined) return this.#connect(first, second)
    if (name === 'diagnose') return this.#posted().diagnose(first ?? 0)
    if (name === 'release') return this.#posted().release()
    if (name === 'close') return this.#posted().close()
    throw new TypeError(`a thread does not ${name}`)
  }

  async #begin(): Promise<Begun> {
    const { place, segmentBytes } = this.#options
    const engine = await this.#loadEngine()
    try {
      // One thread of a process listens for all.
      const hearing = this.#options.writes ? { onHeard: () => this.#line.tell('heard', []) } : {}
      const store = await engine.open({ ...this.#options, ...hearing })
      this.#post = new Post({ engine, store, place, segmentBytes, host: () => attended(this.#host), elsewhere: this.#elsewhere })
      const { erasure, longestRestMs } = engine
      return { bytes: store.bytes, readOnly: store.readOnly, erasesAtOnce: erasure === 'bytes', longestRestMs }
    } catch (error) {
      throw engine.classify(error, place, 'open')
    }
  }

  /** Joins the writing thread with the layer writer's: one asks, the other answers. */
  #connect(side: 'ask' | 'answer', port: MessagePort): void {
    const line = Line.on(port, { answer: (arrived, cut) => this.#answer(arrived, cut) })
    if (side === 'ask') this.#writer = line
  }

  /** The host reports that the writing thread died: requests to it are never answered. */
  #writerGone(): void {
    this.#writer?.fail(new EngineInterrupted({ thread: 'writes', reason: 'it is gone' }))
    this.#writer = undefined
  }

  /** Changes go straight to the writing thread; searches go to the host, which passes them on. */
  readonly #elsewhere: EngineCall = (kind, name, args) => {
    const line = kind === 'write' ? this.#writer : this.#line
    if (line === undefined) return Promise.reject(new EngineInterrupted({ thread: 'writes', reason: 'it is not there yet' }))
    return line.call({ kind, name, args, now: attended(this.#host).clock.now() })
  }

  #heard(state: HostState): void {
    if (this.#host === undefined) this.#host = new RemoteHost(this.#line, state)
    else this.#host.heard(state)
  }

  #posted(): Post {
    if (this.#post === undefined) throw new TypeError('a thread was called before it had begun')
    return this.#post
  }
}
