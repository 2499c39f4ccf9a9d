import { formatOf, formatOfAll, type ImportFormat, importFormats } from './formats/all.ts'
import { isSqlite } from './magic.ts'
import { formatOfObjects } from './object-shapes.ts'
import { isRecord } from './formats/values.ts'
import { jsonFault } from '../errors/json-fault.ts'
import { firstByte } from './peek.ts'

/** The bytes of a file that are read to tell its format. A sample of the LoCoMo file begins with 40 KiB of questions. */
export const detectBytes = 1024 * 1024

/** Tells the format of a file by its first `detectBytes`, never by its name; undefined for an unknown one. */
export function detectFormat(head: Uint8Array): ImportFormat | undefined {
  if (isSqlite(head)) return 'mem0-history'
  const text = new TextDecoder().decode(head)
  const first = firstByte(head)
  const found = first === 0x5b || first === 0x7b ? formatOfObjects(text) : undefined
  return found ?? formatOfLines(text)
}

/**
 * Tells an export of Varve's own by its first bytes. It is no format of another program: `ada.import()` takes it. Blanks
 * or a byte order mark that an editor put before it are passed over here; the import then names the changed line.
 */
export function isVarveExport(head: Uint8Array): boolean {
  return /^\s*\{"kind":"header","format":"varve-export"/u.test(new TextDecoder().decode(head.subarray(0, 256)))
}

/** Returns the reason why a file has no known format, where its first bytes tell. */
export function reasonOfBytes(head: Uint8Array): string | undefined {
  if (firstByte(head) === undefined) return 'it is empty: there is nothing to import.'
  if (isVarveExport(head)) return 'it is an export of Varve: give it to the `import` of a memory, or to `varve import`.'
  if (head[0] === 0x1f && head[1] === 0x8b) return 'it is compressed with gzip: unpack it (gunzip) and import what comes out.'
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return 'it is UTF-16: save it as UTF-8.'
  if (/^\s*\[\s*\]\s*$/u.test(new TextDecoder().decode(head))) return 'it is an empty list: there is nothing to import.'
  const text = head.length < detectBytes && [0x5b, 0x7b].includes(firstByte(head) ?? 0) ? new TextDecoder().decode(head) : undefined
  const fault = text === undefined ? undefined : faultOf(text)
  if (fault !== undefined) return `it is not valid JSON (${fault}).`
  if (head.length >= detectBytes) return `its first MiB does not tell its format: name it with format (${importFormats.join(', ')}).`
  return undefined
}

/** Returns the fault of a text that is no JSON; undefined for JSON, and for lines of it. */
function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch (error) {
    const isLines = text.split('\n').some((line) => line.startsWith('{') && keysOf(line).size > 0)
    return isLines || !(error instanceof SyntaxError) ? undefined : jsonFault(error)
  }
  return undefined
}

/** Reads lines up to the first that tells: earlier ones may be broken, or of a log. */
function formatOfLines(text: string): ImportFormat | undefined {
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith('{')) continue
    const keys = keysOf(line)
    const format = formatOf(keys, true) ?? formatOfAll(keys)
    if (format !== undefined) return format
  }
  return undefined
}

/** Tells the format of a whole value of a list or of a line. */
export function formatOfValue(value: unknown): ImportFormat | undefined {
  const keys = isRecord(value) ? shapeOf(value) : new Set<string>()
  return formatOf(keys, true) ?? formatOfAll(keys)
}

function keysOf(line: string): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? shapeOf(value) : new Set()
  } catch (error) {
    if (error instanceof SyntaxError) return new Set()
    throw error
  }
}

/** Returns the keys of an object as a format is asked with. */
function shapeOf(value: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const within = Object.entries(value).flatMap(([key, inner]) => (isRecord(inner) ? Object.keys(inner).map((one) => `${key}.${one}`) : []))
  const type = typeof value['type'] === 'string' ? [`type=${value['type']}`] : []
  return new Set([...Object.keys(value), ...within, ...type])
}
