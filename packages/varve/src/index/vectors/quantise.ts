/**
 * A vector in one byte a component: component ≈ code × scale. The error is at most half a scale, plus the rounding of
 * 32-bit numbers.
 */
export interface Quantised {
  readonly code: Int8Array
  /** A 32-bit number: the largest absolute component / 127. 0 for a vector of zeros. */
  readonly scale: number
}

const mostCode = 127

/** Under the least normal 32-bit number a scale has too few digits; a vector that small has no direction. */
const leastScale = 2 ** -126

/** Quantises symmetrically, with codes from −127 to 127. Throws RangeError for components that are not finite. */
export function quantise(vector: Float32Array): Quantised {
  let largest = 0
  for (const component of vector) {
    const size = Math.abs(component)
    if (size > largest) largest = size
    else if (Number.isNaN(size)) largest = Number.POSITIVE_INFINITY
  }
  if (largest === Number.POSITIVE_INFINITY) throw new RangeError('a vector has finite components only, received NaN or infinity')
  const code = new Int8Array(vector.length)
  const scale = Math.fround(largest / mostCode)
  if (scale < leastScale) return { code, scale: 0 }
  for (let at = 0; at < vector.length; at += 1) code[at] = Math.round((vector[at] ?? 0) / scale)
  return { code, scale }
}
