// Many ordinals in little room: each run of neighbours as the distance from the run before it and its length, seven bits
// a byte (LEB128), in base64url. A million neighbours take 8 characters; a million ordinals apart take 3 MB.

/** Writes ordinals. */
export function runsText(ordinals: readonly number[]): string {
  const bytes: number[] = []
  let end = 0
  for (const [from, to] of runsOf(ordinals)) {
    put(bytes, from - end)
    put(bytes, to - from)
    end = to
  }
  return Buffer.from(bytes).toString('base64url')
}

/** Reads ordinals as ascending runs, each with its first and its last. */
export function runsIn(text: string): readonly (readonly [from: number, to: number])[] {
  const numbers: number[] = []
  let [value, factor] = [0, 1]
  for (const byte of Buffer.from(text, 'base64url')) {
    value += (byte & 127) * factor
    factor *= 128
    if (byte >= 128) continue
    numbers.push(value)
    ;[value, factor] = [0, 1]
  }
  const runs: (readonly [number, number])[] = []
  let end = 0
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const from = end + (numbers[at] ?? 0)
    end = from + (numbers[at + 1] ?? 0)
    runs.push([from, end])
  }
  return runs
}

/** Tells whether an ordinal is in a run. */
export function isInRuns(runs: readonly (readonly [number, number])[], ordinal: number): boolean {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((runs[middle]?.[1] ?? 0) < ordinal) low = middle + 1
    else high = middle
  }
  return (runs[low]?.[0] ?? Number.POSITIVE_INFINITY) <= ordinal
}

function runsOf(ordinals: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const ordinal of new Set(ordinals.toSorted((one, other) => one - other))) {
    const last = runs.at(-1)
    if (last?.[1] === ordinal - 1) last[1] = ordinal
    else runs.push([ordinal, ordinal])
  }
  return runs
}

function put(bytes: number[], value: number): void {
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
}
