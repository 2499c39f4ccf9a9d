/** The estimated bytes of a value beside its text: numbers, keys, its place in a list. */
const bytesPerValue = 16

/** The most values that are looked at: the rest counts like their average. */
const mostValues = 50_000

/** Estimates the bytes that some arguments take when they cross: text counts two bytes a character. */
export function sizeOf(args: readonly unknown[]): number {
  let bytes = 0
  let values = 0
  const waiting: unknown[] = [...args]
  while (waiting.length > 0 && values < mostValues) {
    const value = waiting.pop()
    values += 1
    bytes += bytesPerValue
    if (typeof value === 'string') bytes += 2 * value.length
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength
    else if (Array.isArray(value)) for (const one of value) waiting.push(one)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) waiting.push(one)
  }
  return bytes + waiting.length * Math.ceil(bytes / Math.max(1, values))
}
