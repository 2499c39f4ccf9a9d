/** Uniform in [0, 1). */
export type Random = () => number

/** Makes random numbers with Mulberry32 (Tommy Ettinger, public domain): small, seeded, good enough for words and samples. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a whole number from 0 up to, not including, `end`. */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end)
}

/** Returns a normally distributed number with mean 0 and deviation 1 (Box and Muller 1958). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
