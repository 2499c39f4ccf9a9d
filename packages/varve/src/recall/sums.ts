import type { Part, SignalInput } from './part.ts'
import { leastRelevance, talks, weights } from './weights.ts'

/**
 * Gives the highest sum of the signals' weights in each kind of talk. `words` and `around` share one whole, so only
 * `words` counts. Negative weights do not count.
 */
export function mostOf(parts: readonly Part[]): number[] {
  return talks.map((talk) => parts.reduce((sum, { name }) => (name === 'around' ? sum : sum + Math.max(0, weights[name][talk])), 0) || 1)
}

// Plain loops from here on. They run for tens of thousands of candidates, and a function call for each took most of a
// recall.

/** Gives the kind of talk of each candidate, by its number (weights.ts). */
export function talksOf({ segment, candidates }: SignalInput): Uint8Array {
  const { talks: kinds, sessionPlaces } = segment
  const found = new Uint8Array(candidates.length)
  for (let at = 0; at < found.length; at += 1) found[at] = kinds[sessionPlaces[candidates[at] ?? 0] ?? 0] ?? 0
  return found
}

/** Adds a signal, times the factor of each candidate's kind of talk. */
export function addTo(
  totals: Float64Array,
  values: Float32Array,
  kinds: Uint8Array,
  [people = 0, assistant = 0]: readonly number[],
  gate: Float32Array | undefined,
): void {
  for (let at = 0; at < totals.length; at += 1) {
    const value = (values[at] ?? 0) * (kinds[at] === 0 ? people : assistant)
    totals[at] = (totals[at] ?? 0) + (gate === undefined ? value : value * (gate[at] ?? 0))
  }
}

const none = new Float32Array(0)

/** Gives the part, 0 to 1, at which each candidate's `is` signals count: in full from the least relevance on. */
export function gateOf(size: number, parts: readonly Part[]): Float32Array {
  const valuesOf = (wanted: Part['name']): Float32Array => parts.find(({ name }) => name === wanted)?.values ?? none
  const [own, near, meant, around] = [valuesOf('words'), valuesOf('around'), valuesOf('meaning'), valuesOf('talk')]
  const gate = new Float32Array(size)
  for (let at = 0; at < size; at += 1) {
    const about = (own[at] ?? 0) + (near[at] ?? 0) + Math.max(meant[at] ?? 0, around[at] ?? 0)
    gate[at] = about >= leastRelevance ? 1 : about / leastRelevance
  }
  return gate
}
