/** What a value is taken for beside its text: numbers, keys, the list that it is in. */
const bytesPerValue = 16

/** Values that are looked at, at most: beyond them the rest counts like the average of those. */
const mostValues = 50_000

/** Bytes that some arguments take on their way, as an estimate: text counts two bytes a character. */
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
