import type { Clock } from '../clock/clock.ts'

/** A clock that stands still until it is told to move: UTC milliseconds. */
export class ManualClock implements Clock {
  #now: number

  /** Default: Monday 5 January 2026, 09:00 UTC. */
  constructor(start = Date.UTC(2026, 0, 5, 9)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  /** Moves on by some milliseconds, and returns the new time. */
  advance(ms: number): number {
    this.#now += ms
    return this.#now
  }

  /** Sets the time, also backwards, as real clocks do: UTC milliseconds. */
  set(time: number): void {
    this.#now = time
  }
}
