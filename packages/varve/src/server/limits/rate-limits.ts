import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { growingCache } from '../../caches/growing-cache.ts'
import { networkOf } from './network-of.ts'
import type { RateLimitOptions } from './rate-limit-options.ts'

/** The requests of a minute that a key may make, unless it says otherwise. */
export const usualPerMinute = 6_000

/** The failed authentications of a minute that a network may have before it is told to wait. */
export const failuresPerMinute = 20

/** The most keys, and the most networks, that are counted at a time. The least recently seen one is forgotten first. */
export const mostCounted = 10_000

const minuteSeconds = 60

/** How much of a limit is used. */
export interface LimitState {
  readonly ok: boolean
  /** The most of a minute. */
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the minute is over, and all of the limit is free again. */
  readonly resetMs: number
}

/** A request that has to wait. */
export interface Limited extends LimitState {
  readonly ok: false
  readonly retryAfterMs: number
}

/** A request that may go on. */
export interface Unlimited extends LimitState {
  readonly ok: true
}

/** Counts by minute, with a bound on what is counted at a time. */
class MinuteCounts {
  readonly #counts = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: minuteSeconds })
  readonly #seen: ReturnType<typeof growingCache<string, true>>

  constructor(most: number) {
    this.#seen = growingCache<string, true>(most, { dispose: (_, key) => void this.#counts.delete(key) })
  }

  get size(): number {
    return this.#seen.size
  }

  /** Counts one more, and tells the state. `limit` is that of this key. */
  async count(key: string, limit: number): Promise<Limited | Unlimited> {
    // Not set() where it is there: lru-cache would dispose of it.
    if (this.#seen.get(key) === undefined) this.#seen.set(key, true)
    return stateOf(await this.#counts.penalty(key), limit)
  }

  /** Tells the state without counting. */
  async look(key: string, limit: number): Promise<Limited | Unlimited> {
    const counted = await this.#counts.get(key)
    // One more is asked for.
    return counted === null ? { ok: true, limit, remaining: limit, resetMs: 0 } : stateOf(counted, limit, 1)
  }
}

function stateOf({ consumedPoints, msBeforeNext }: RateLimiterRes, limit: number, more = 0): Limited | Unlimited {
  // A clock that was set back must not lock a caller out for longer.
  const resetMs = Math.min(Math.max(0, msBeforeNext), minuteSeconds * 1_000)
  const remaining = Math.max(0, limit - consumedPoints)
  return consumedPoints + more <= limit
    ? { ok: true, limit, remaining, resetMs }
    : { ok: false, limit, remaining: 0, resetMs, retryAfterMs: resetMs }
}

/** The rate limits of a server: requests by key, and failed authentications by network. */
export class RateLimits {
  readonly #requests: MinuteCounts
  readonly #failures: MinuteCounts
  readonly #perMinute: number
  readonly #failuresPerMinute: number

  constructor({ perMinute = usualPerMinute, failures = failuresPerMinute, most = mostCounted }: RateLimitOptions = {}) {
    this.#perMinute = perMinute
    this.#failuresPerMinute = failures
    this.#requests = new MinuteCounts(most)
    this.#failures = new MinuteCounts(most)
  }

  /** The keys and networks that are counted now. */
  get counted(): number {
    return this.#requests.size + this.#failures.size
  }

  /** Counts a request of a key. Requests over the limit count too, and begin no new minute. */
  request({ id, perMinute = this.#perMinute }: { readonly id: string; readonly perMinute?: number }): Promise<Limited | Unlimited> {
    return this.#requests.count(id, perMinute)
  }

  /**
   * Counts an authentication that failed. Over the limit the caller is told to wait, in place of being told why. A valid
   * key is never refused for it: callers behind one address must not be able to lock each other out.
   */
  failure(address: string): Promise<Limited | Unlimited> {
    return this.#failures.count(networkOf(address), this.#failuresPerMinute)
  }

  /** Tells whether a network has failures left, without counting. */
  failuresLeft(address: string): Promise<Limited | Unlimited> {
    return this.#failures.look(networkOf(address), this.#failuresPerMinute)
  }
}
