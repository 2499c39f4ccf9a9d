import { z } from 'zod'
import type { AskedLayer } from './instructions.ts'

const sentence = z.object({ text: z.string(), from: z.array(z.number().int()) })
const sentences = z.array(sentence)

/** The key of an answer under which a layer's part stands. */
export function keyOf(layer: AskedLayer): 'gist' | 'bullets' {
  return layer === 'gists' ? 'gist' : 'bullets'
}

/** What is asked for: a list under each key. */
export function schemaOf(keys: readonly string[]): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(z.object(Object.fromEntries(keys.map((key) => [key, sentences]))))
}

/** A written line as a model gave it, its numbers not yet looked at. */
export interface RawSentence {
  readonly text: string
  readonly from: readonly number[]
}

/** The lines under a key, those that are no lines left out; undefined for what is no list. A list may stand in an object, as some models give it. */
export function linesUnder(object: Readonly<Record<string, unknown>>, key: string): readonly RawSentence[] | undefined {
  const value = object[key]
  const list = Array.isArray(value) ? value : innerList(value)
  return list?.flatMap((one) => sentence.safeParse(withNumbers(one)).data ?? [])
}

function innerList(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const lists = Object.values(value).filter((one) => Array.isArray(one))
  return lists.length === 1 ? lists[0] : undefined
}

/** Smaller models write "3", "[3]" or 3 alone where [3] is asked for. */
function withNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('from' in value)) return value
  const given = Array.isArray(value.from) ? value.from : [value.from]
  return { ...value, from: given.flatMap((one: unknown) => (typeof one === 'string' ? (one.match(/\d+/g) ?? []).map(Number) : [one])) }
}
