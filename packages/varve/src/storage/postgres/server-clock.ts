import { type Connections, onConnection } from './connections.ts'

/** The offset is measured again after this time: milliseconds. */
const measuredForMs = 60_000

/** After this time the call that asks has a connection, and perhaps given it back: the measurement opens none of its own. */
const soonMs = 50

/**
 * The store's time is the server's: instances whose clocks differ agree on leases and on when a session is settled.
 * Between two measurements it is the process's own clock with the offset that was measured.
 */
export class ServerClock {
  readonly #connections: Connections
  /** The server's time less the process's monotonic one. */
  #ahead = Number.NaN
  #measuredAt = Number.NEGATIVE_INFINITY
  #measuring: Promise<void> | undefined
  #isAsked = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** UTC milliseconds. `measure` must have resolved before. */
  now(): number {
    if (performance.now() - this.#measuredAt > measuredForMs) this.#measureSoon()
    return Math.round(performance.now() + this.#ahead)
  }

  /** Until it is measured, the last one serves. A server that cannot be reached is told by the next call. */
  #measureSoon(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    const measure = (): void =>
      void Promise.allSettled([this.measure()]).then(() => {
        this.#isAsked = false
      })
    setTimeout(measure, soonMs).unref()
  }

  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

  async #measure(): Promise<void> {
    await onConnection(this.#connections, async (client) => {
      const before = performance.now()
      const { rows } = await client.query<{ now: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now')
      const after = performance.now()
      this.#ahead = (rows[0]?.now ?? Number.NaN) - (before + after) / 2
      this.#measuredAt = after
    })
  }
}
