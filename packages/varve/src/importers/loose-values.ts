import { isRecord } from './formats/values.ts'
import type { ImportItem, ImportSource } from './importer.ts'
import { jsonLines } from './json-lines.ts'
import { jsonLists } from './json-lists.ts'
import { jsonValues } from './json-values.ts'
import { firstByte, peek } from './peek.ts'

/** The beginning that tells lines from one object. */
const toldBytes = 256 * 1024
/** How many lines may be broken before the first whole one. */
const mostBroken = 3
const objectStart = 0x7b

/** A value of a file; `list` is the key of its list, in an object of lists. */
export interface LooseValue {
  readonly kind: 'value'
  readonly value: unknown
  readonly list: string
  /** Its line, in a file of lines. */
  readonly line?: number
}

/** Names the line of messages, and of what is left out. */
export function* atLine(items: Iterable<ImportItem>, line: number | undefined): Generator<ImportItem> {
  for (const item of items) yield (item.kind === 'skipped' || item.kind === 'message') && line !== undefined ? { line, ...item } : item
}

type Counted = Extract<ImportItem, { readonly kind: 'skipped' | 'repaired' }>

/**
 * Yields the values of a file that is a JSON list, an object, or has an object in each line. With `lists`, the values
 * of an object are those in its lists, each by itself: an object with one of these lists is read so.
 */
export async function* looseValues(source: ImportSource, lists?: readonly string[]): AsyncGenerator<LooseValue | Counted> {
  const { head, bytes } = await peek(source.bytes, toldBytes)
  if (firstByte(head) !== objectStart || !isLines(head, lists)) yield* wholeValues({ ...source, bytes }, lists !== undefined)
  else
    for await (const line of jsonLines(bytes)) {
      if (line.kind === 'skipped') yield line
      else yield { kind: 'value', value: line.value, list: '', line: line.line }
    }
}

async function* wholeValues(source: ImportSource, inLists: boolean): AsyncGenerator<LooseValue | Counted> {
  const items = inLists ? jsonLists(source) : jsonValues(source)
  for await (const item of items) {
    if (item.kind === 'too large') yield { kind: 'skipped', reason: 'conversation too large' }
    else yield { kind: 'value', value: item.value, list: 'list' in item && typeof item.list === 'string' ? item.list : '' }
  }
}

/** Tells whether a file has an object in each line: one of the first lines is a whole object by itself, without such a list. */
function isLines(head: Uint8Array, lists: readonly string[] = []): boolean {
  const first = new TextDecoder()
    .decode(head)
    .split('\n', mostBroken + 2)
    .filter((line) => line.startsWith('{'))
  return first.some((line) => {
    const value = parsed(line)
    return isRecord(value) && !lists.some((list) => Array.isArray(value[list]))
  })
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    return value
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
