import { closenessToOthers } from './vectors.ts'

/** A message, as centrality needs it. */
export interface Member {
  /** Terms with their weights. */
  readonly terms: ReadonlyMap<string, number>
  readonly vector?: Float32Array | undefined
}

/**
 * Returns each message's closeness to the common subject, from 0 to 1: half by its words, half by its vector. By words
 * alone where a vector is missing.
 */
export function centralities(members: readonly Member[]): number[] {
  const byTerms = spread(closeness(members.map(({ terms }) => terms)))
  const vectors = members.flatMap(({ vector }) => vector ?? [])
  if (vectors.length < members.length || vectors.some(({ length }) => length !== vectors[0]?.length)) return byTerms
  const byVectors = spread(closenessToOthers(vectors))
  return byTerms.map((value, at) => (value + (byVectors[at] ?? 0)) / 2)
}

/** Returns the share of each one's weighted terms in the sum of the others'. */
function closeness(members: readonly ReadonlyMap<string, number>[]): number[] {
  const sum = new Map<string, number>()
  for (const terms of members) for (const [term, weight] of terms) sum.set(term, (sum.get(term) ?? 0) + weight)
  return members.map((terms) => {
    let dot = 0
    let squares = 0
    for (const [term, weight] of terms) {
      dot += weight * ((sum.get(term) ?? 0) - weight)
      squares += weight * weight
    }
    return squares === 0 ? 0 : dot / Math.sqrt(squares)
  })
}

/** Scales values so that they reach from 0 to 1. */
function spread(values: readonly number[]): number[] {
  const least = Math.min(...values)
  const range = Math.max(...values) - least
  return values.map((value) => (range > 0 ? (value - least) / range : 0))
}
