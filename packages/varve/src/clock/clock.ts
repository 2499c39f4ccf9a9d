/** Where the time comes from: UTC milliseconds. Passed in everywhere, so that time can be simulated. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
