type Fields = Readonly<Record<string, unknown>>

/** Tells whether JSON gives a value back as it is. A field that is undefined counts as absent. */
export function isExactJson(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (value === null || typeof value === 'boolean') return true
  if (typeof value !== 'object' || value instanceof Uint8Array) return false
  if (Array.isArray(value)) return value.every(isExactJson)
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && (inner === undefined || isExactJson(inner)))
}

/**
 * Writes a value in a form that JSON holds, and that is valid Unicode: a text as ASCII, bytes as base64. It is for the few
 * items that are not JSON, such as a picture's bytes in a tool's answer.
 */
export function toPlain(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : { text: asCodes(value) }
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { number: Object.is(value, -0) ? '-0' : String(value) }
  if (value === undefined) return { undefined: true }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return { list: value.map(toPlain) }
  if (value === null || typeof value !== 'object') return value
  const given: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value
  if (given === null || typeof given !== 'object') return given
  return { fields: Object.entries(given).map(([name, inner]) => [asCodes(name), toPlain(inner)]) }
}

/** Reads what `toPlain` wrote. */
export function fromPlain(plain: unknown): unknown {
  if (plain === null || typeof plain !== 'object') return plain
  const { text, number, bytes, list, fields }: Fields = Object(plain)
  if (typeof text === 'string') return fromCodes(text)
  if (typeof number === 'string') return Number(number)
  if (typeof bytes === 'string') return new Uint8Array(Buffer.from(bytes, 'base64'))
  if (Array.isArray(list)) return list.map(fromPlain)
  if (Array.isArray(fields)) return Object.fromEntries(fields.map(fieldOf))
  return undefined
}

function fieldOf(field: unknown): [string, unknown] {
  const [name, inner]: readonly unknown[] = Array.isArray(field) ? field : []
  return [fromCodes(String(name)), fromPlain(inner)]
}

/** Escapes a text as JSON does, so that a lone surrogate becomes ASCII. */
function asCodes(text: string): string {
  return JSON.stringify(text)
}

function fromCodes(escaped: string): string {
  const text: unknown = JSON.parse(escaped)
  return String(text)
}
