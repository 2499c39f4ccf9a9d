import { jsonParser } from 'stream-json/parser.js'
import { formatOf, type ImportFormat } from './formats/all.ts'
import { firstByte } from './peek.ts'

/** The bytes of a file that are read to tell its format. A sample of the LoCoMo file begins with 40 KiB of questions. */
export const detectBytes = 1024 * 1024

// Small, so that little text after the telling key is parsed.
const sliceChars = 4096

/** Tells the format of a file by its first `detectBytes`, never by its name; undefined for an unknown one. */
export function detectFormat(head: Uint8Array): ImportFormat | undefined {
  const text = new TextDecoder().decode(head)
  const first = firstByte(head)
  const found = first === 0x5b || first === 0x7b ? formatOfKeys(text) : undefined
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
  return undefined
}

/** Reads the keys of the first object, or of the first objects of a list, until they tell. */
function formatOfKeys(text: string): ImportFormat | undefined {
  const parse = jsonParser({ packValues: false, packKeys: true, streamKeys: false, jsonStreaming: true })
  const keys = new Set<string>()
  let depth = 0
  let level = 0
  for (let at = 0; at < text.length; at += sliceChars) {
    const tokens = tokensOf(parse, text.slice(at, at + sliceChars))
    for (const token of tokens ?? []) {
      if (token.name === 'startArray' && depth === 0) level = 1
      if (token.name === 'startArray' || token.name === 'startObject') depth += 1
      if (token.name === 'endArray' || token.name === 'endObject') depth -= 1
      if (token.name === 'endObject' && depth === level) keys.clear()
      if (token.name !== 'keyValue' || depth !== level + 1) continue
      keys.add(token.value)
      const format = formatOf(keys, false)
      if (format !== undefined) return format
    }
    if (tokens === undefined) return undefined
  }
  return undefined
}

function tokensOf(parse: ReturnType<typeof jsonParser>, text: string) {
  try {
    const parsed = parse(text)
    return typeof parsed === 'symbol' ? [] : parsed.values
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Reads lines up to the first that tells: earlier ones may be broken, or of a log. */
function formatOfLines(text: string): ImportFormat | undefined {
  for (const line of text.split('\n')) {
    const format = line.trimStart().startsWith('{') ? formatOf(keysOf(line), true) : undefined
    if (format !== undefined) return format
  }
  return undefined
}

function keysOf(line: string): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(line)
    return new Set(typeof value === 'object' && value !== null ? Object.keys(value) : [])
  } catch (error) {
    if (error instanceof SyntaxError) return new Set()
    throw error
  }
}
