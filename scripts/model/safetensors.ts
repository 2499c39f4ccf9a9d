/** Numbers in row-major order. */
export interface Matrix {
  readonly shape: readonly number[]
  readonly values: Float32Array
}

/** A tensor in the header: its bytes lie between the offsets. */
interface Entry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

/** Returns the half-precision tensors of a safetensors file by name. */
export function readSafetensors(file: Buffer): (name: string) => Matrix {
  const headerBytes = Number(file.readBigUInt64LE(0))
  const header: Record<string, Entry> = JSON.parse(file.toString('utf8', 8, 8 + headerBytes))
  const data = file.subarray(8 + headerBytes)
  return (name) => {
    const entry = header[name]
    if (entry?.dtype !== 'F16') throw new RangeError(`${name} is ${entry?.dtype ?? 'missing'}, not F16`)
    const [from, to] = entry.data_offsets
    const values = new Float32Array((to - from) / 2)
    for (let at = 0; at < values.length; at += 1) values[at] = fromHalf(data.readUInt16LE(from + at * 2))
    return { shape: entry.shape, values }
  }
}

/** Converts IEEE 754 binary16; weights have no infinity and no NaN. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
