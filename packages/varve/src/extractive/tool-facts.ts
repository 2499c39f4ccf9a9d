/** The most values that are read from a tool's answer. */
const maxValues = 8
const maxValueLength = 60
const maxDepth = 3

/** A longer answer, in UTF-16 code units, is data rather than a fact. */
const maxLength = 65_536

/** Returns a tool's answer as text. Of JSON, the short values with their names: `status booked, total 40`. */
export function toolText(text: string): string {
  const trimmed = text.trim()
  if (!/^[[{]/u.test(trimmed)) return text
  if (trimmed.length > maxLength) return ''
  try {
    const read: unknown = JSON.parse(trimmed)
    return valuesOf(read, '', 0).slice(0, maxValues).join(', ')
  } catch {
    // Not JSON: prose that begins with a bracket.
    return text
  }
}

function valuesOf(value: unknown, name: string, depth: number): string[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    const shown = String(value)
    return shown.length > maxValueLength || shown === '' ? [] : [`${name} ${shown}`.trim()]
  }
  if (value === null || typeof value !== 'object' || depth >= maxDepth) return []
  return Object.entries(value)
    .slice(0, maxValues)
    .flatMap(([key, inner]) => valuesOf(inner, Array.isArray(value) ? name : key.replaceAll('_', ' '), depth + 1))
}
