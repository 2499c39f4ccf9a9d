/** The source of time: UTC milliseconds. It is passed in everywhere, so that time can be simulated. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
