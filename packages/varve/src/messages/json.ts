import { isBoxedPrimitive } from 'node:util/types'
import type { Sliced } from './slices.ts'

/** A value up to this size is written in one go: some tenths of a millisecond. */
const pieceCharacters = 32 * 1024

/** Tells whether a value's JSON surely has more characters than `most`. It reads no more of the value than it needs. */
export function isLarger(value: unknown, most: number): boolean {
  return sizeUpTo(value, most) > most
}

/**
 * Counts the characters of a value's JSON until there are more than `most`. The count is never above the real one, and
 * so never above its bytes of UTF-8.
 */
function charactersUpTo(value: unknown, most: number, ancestors = new Set<object>()): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return isLeftOut(value) ? 0 : 1
  // A circle is reported when the value is written. A value with its own toJSON may write anything.
  if (!isTakenApart(value) || ancestors.has(value)) return 0
  ancestors.add(value)
  const characters = Array.isArray(value) ? ofList(value, most, ancestors) : ofObject(value, most, ancestors)
  ancestors.delete(value)
  return characters
}

function ofList(list: readonly unknown[], most: number, ancestors: Set<object>): number {
  let characters = 1
  for (const inner of list) {
    characters += 1 + Math.max(1, charactersUpTo(inner, most - characters, ancestors))
    if (characters > most) break
  }
  return characters
}

function ofObject(value: object, most: number, ancestors: Set<object>): number {
  let characters = 1
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    const size = charactersUpTo(Reflect.get(value, key), most - characters, ancestors)
    // A value that counts nothing may be left out, with its name.
    if (size > 0) characters += key.length + 4 + size
    if (characters > most) break
  }
  return characters
}

/** The bounds of written JSON. `refuse` gets the reason. */
export interface JsonBounds {
  readonly maxBytes: number
  refuse(reason: string): never
}

/** Writes JSON as JSON.stringify does, but piece by piece. Undefined for a value that JSON.stringify leaves out. */
export function jsonInPieces(value: unknown, most = pieceCharacters): Sliced<string | undefined> {
  return written(value, { most, left: Number.POSITIVE_INFINITY, ancestors: new Set() })
}

/** Writes JSON with checks. Refuses it as soon as it is too large, or is no valid Unicode. */
export function* writtenJson(value: unknown, { maxBytes, refuse }: JsonBounds): Sliced<string> {
  const reason = `is larger than ${maxBytes} bytes as JSON`
  const json =
    (yield* written(value, {
      most: pieceCharacters,
      left: maxBytes,
      ancestors: new Set(),
      checks: { tooLarge: () => refuse(reason), refuse },
    })) ?? refuse('cannot be written as JSON')
  return Buffer.byteLength(json) > maxBytes ? refuse(reason) : json
}

interface Writing {
  /** Characters of a piece. */
  readonly most: number
  /** Characters that may still come. */
  left: number
  readonly ancestors: Set<object>
  readonly checks?: { tooLarge(): never; refuse(reason: string): never }
}

function* written(value: unknown, writing: Writing): Sliced<string | undefined> {
  if (typeof value === 'string' && value.length > writing.most) return yield* writtenText(value, writing)
  if (!isTakenApart(value) || writing.ancestors.has(value) || !isLarger(value, writing.most)) return yield* piece(value, writing)
  writing.ancestors.add(value)
  const json = Array.isArray(value) ? yield* writtenList(value, writing) : yield* writtenObject(value, writing)
  writing.ancestors.delete(value)
  return json
}

function* writtenList(list: readonly unknown[], writing: Writing): Sliced<string> {
  const pieces: string[] = []
  for (let from = 0; from < list.length;) {
    let [to, characters] = [from, 0]
    while (to < list.length && characters <= writing.most) {
      characters += 1 + sizeUpTo(list[to], writing.most)
      to += 1
    }
    // A value that is large by itself is taken apart; small ones are written together.
    const whole = characters > writing.most ? Math.max(from, to - 1) : to
    if (whole > from) pieces.push(inner(yield* piece(list.slice(from, whole), writing)))
    if (whole < to) pieces.push((yield* written(list[whole], writing)) ?? 'null')
    from = to
  }
  return `[${pieces.join(',')}]`
}

function* writtenObject(value: object, writing: Writing): Sliced<string> {
  const pieces: string[] = []
  for (const key of Object.keys(value)) {
    yield
    writing.left -= key.length
    if (writing.left < 0) writing.checks?.tooLarge()
    const json = yield* written(Reflect.get(value, key), writing)
    if (json !== undefined) pieces.push(`${JSON.stringify(key)}:${json}`)
  }
  return `{${pieces.join(',')}}`
}

function* writtenText(text: string, writing: Writing): Sliced<string> {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    // A surrogate pair is not parted: each half alone would be escaped.
    const to = from + writing.most + (isHighSurrogate(text.charCodeAt(from + writing.most - 1)) ? 1 : 0)
    pieces.push(inner(yield* piece(text.slice(from, to), writing)))
    from = to
  }
  return `"${pieces.join('')}"`
}

/** A lone surrogate as JSON.stringify writes it: after an even number of backslashes. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

function* piece(value: unknown, writing: Writing): Sliced<string | undefined> {
  const json = stringified(value, writing)
  if (json === undefined) return undefined
  writing.left -= json.length
  if (writing.left < 0) writing.checks?.tooLarge()
  if (writing.checks !== undefined && loneSurrogate.test(json)) writing.checks.refuse('has a lone surrogate: it is not valid Unicode')
  yield
  return json
}

function stringified(value: unknown, { checks }: Writing): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (checks === undefined) throw error
    return checks.refuse('cannot be written as JSON: it holds itself, or its toJSON() fails')
  }
}

/** Removes the brackets or quotes. */
function inner(json = ''): string {
  return json.slice(1, -1)
}

/**
 * Counts a value's characters. A value that cannot be counted, such as one nested too deep, counts 0 and is reported
 * when it is written.
 */
function sizeUpTo(value: unknown, most: number): number {
  try {
    return charactersUpTo(value, most)
  } catch (error) {
    if (error instanceof Error) return 0
    throw error
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Tells whether a value's JSON is made of that of its parts. */
function isTakenApart(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || ('toJSON' in value && typeof value.toJSON === 'function')) return false
  return !isBoxedPrimitive(value)
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}
