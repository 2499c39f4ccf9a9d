/** Below this cosine two messages say different things. At 1 they say the same. */
const leastAlike = 0.75

/** Rates how much one message repeats another in other words, from 0 to 1. It is 0 where a vector is missing. */
export function paraphrase(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return 0
  return Math.max(0, (dot(a, b) - leastAlike) / (1 - leastAlike))
}

/** Returns the cosine of each vector to the sum of the others: how close each one is to the middle. */
export function closenessToOthers(vectors: readonly Float32Array[]): number[] {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
  return vectors.map((vector) => dot(vector, sum) - dot(vector, vector))
}

function dot(a: Float32Array, b: Float32Array): number {
  let product = 0
  for (let at = 0; at < a.length; at += 1) product += (a[at] ?? 0) * (b[at] ?? 0)
  return product
}
