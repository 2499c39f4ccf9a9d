import { quantise } from './quantise.ts'

/** The offset that turns −127 to 127 of an int8 code into 1 to 255: a stored code has no zero byte (storage/vectors.ts). */
const offset = 128

/** Returns a vector's code as it is stored. */
export function storedCode(vector: Float32Array): { scale: number; body: Uint8Array } {
  const { code, scale } = quantise(vector)
  return { scale, body: Uint8Array.from(code, (value) => value + offset) }
}

/** Turns stored codes into int8: in place where they begin at a multiple of four bytes, else in a copy. */
export function readStoredCodes(bodies: Uint8Array): Int8Array {
  const codes = bodies.byteOffset % 4 === 0 ? bodies : Uint8Array.from(bodies)
  const fours = new Uint32Array(codes.buffer, codes.byteOffset, codes.length >>> 2)
  // Subtracting 128 and reading as signed flips the highest bit.
  for (let at = 0; at < fours.length; at += 1) fours[at] = (fours[at] ?? 0) ^ 0x80808080
  for (let at = fours.length * 4; at < codes.length; at += 1) codes[at] = (codes[at] ?? 0) ^ offset
  return new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength)
}
