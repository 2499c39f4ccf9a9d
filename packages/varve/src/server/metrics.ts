import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Memory } from '../memory/memory.ts'
import type { ProxyCounters } from './proxy/proxy-counters.ts'
import type { AnsweredRequest } from './request-log.ts'

/** Upper bounds of the buckets of a request's time: seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The time that a count of waiting work serves: counting reads the store. */
const statusLastsMs = 10_000

/** Metrics in the format of Prometheus. Labels are routes, verbs and kinds: never a name of anybody, nor a text. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #memory: Memory
  readonly #requests = this.#counter('varve_http_requests_total', 'Requests that were answered.', ['verb', 'route', 'status'])
  readonly #seconds = new Histogram({
    ...{ name: 'varve_http_request_seconds', help: 'Time to the head of the answer.', labelNames: ['route'], buckets },
    registers: [this.#registry],
  })
  readonly #events = this.#counter('varve_events_total', 'What the memory of this process did since it was opened.', ['event'])
  readonly #backlog = this.#gauge('varve_backlog', 'Work that waits for upkeep.', ['kind'])
  readonly #failing = this.#gauge('varve_upkeep_failing', 'Pieces of work that failed and are tried again.', [])
  readonly #threads = this.#gauge('varve_engine_threads', 'Threads of the engine that run.', [])
  readonly #open = this.#gauge('varve_open', 'Streams that are open now.', ['what'])
  readonly #proxied = this.#counter('varve_proxy_total', 'What became of calls that were passed on.', ['event'])
  readonly #opened: Readonly<Record<string, () => number>>
  readonly #proxy: () => Readonly<Record<keyof ProxyCounters, number>>
  #statusAt = Number.NEGATIVE_INFINITY

  constructor(memory: Memory, open: Readonly<Record<string, () => number>>, proxy: () => Readonly<ProxyCounters>) {
    this.#memory = memory
    this.#opened = open
    this.#proxy = proxy
    collectDefaultMetrics({ register: this.#registry, prefix: 'varve_' })
  }

  count({ verb, route, status, ms }: AnsweredRequest): void {
    this.#requests.inc({ verb, route, status })
    this.#seconds.observe({ route }, ms / 1_000)
  }

  /** Writes all metrics. */
  async text(): Promise<{ readonly type: string; readonly text: string }> {
    this.#events.reset()
    for (const [event, count] of Object.entries(this.#memory.counters())) this.#events.inc({ event }, count)
    this.#proxied.reset()
    for (const [event, count] of Object.entries(this.#proxy())) this.#proxied.inc({ event }, count)
    for (const [what, count] of Object.entries(this.#opened)) this.#open.set({ what }, count())
    this.#threads.set(this.#memory.callsForStore().means.engine.health().running.length)
    await this.#readStatus()
    return { type: this.#registry.contentType, text: await this.#registry.metrics() }
  }

  async #readStatus(): Promise<void> {
    const now = performance.now()
    if (now - this.#statusAt < statusLastsMs) return
    this.#statusAt = now
    const { backlog, failures } = await this.#memory.upkeep.status()
    for (const [kind, count] of Object.entries(backlog)) this.#backlog.set({ kind }, count)
    this.#failing.set(failures.length)
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] })
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] })
  }
}
