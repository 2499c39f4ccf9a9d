import { jsonFault } from '../errors/json-fault.ts'
import { wordless } from '../errors/wordless.ts'
import { Assembler } from 'stream-json/assembler.js'
import { type Token, jsonParser } from 'stream-json/parser.js'
import { ImportFailed } from '../errors/import-failed.ts'

/** The most text of one conversation, in characters: an import of a JSON file keeps that much in memory. */
export const maxConversationChars = 64 * 1024 * 1024
/** The most nested levels, deeper than any export: a file of brackets would otherwise fill the memory. */
export const maxDepth = 512

// The cost of a token besides its text: an estimate for a property or an element.
const charsPerToken = 16

export type JsonItem = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'too large' }

/** The bytes of a JSON file, and its path for errors. */
export interface JsonBytes {
  readonly file: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Yields the elements of a JSON file, each when it is complete: the items of a list, or a single object. Holds one
 * element; one over `maxChars` is dropped as it comes.
 *
 * A file that breaks off, or is not JSON, fails with ImportFailed after the elements before the break.
 */
export async function* jsonValues(source: JsonBytes, maxChars = maxConversationChars): AsyncGenerator<JsonItem> {
  const elements = new Elements(source.file, maxChars)
  for await (const tokens of jsonTokens(source)) {
    for (const token of tokens) {
      const item = elements.take(token)
      if (item !== undefined) yield item
    }
  }
  if (!elements.complete) throw brokenOff(source.file)
}

/** Yields the tokens of a JSON file, some at a time. Throws ImportFailed where it is not JSON. */
export async function* jsonTokens({ file, bytes }: JsonBytes): AsyncGenerator<Iterable<Token>> {
  const parse = jsonParser({ packValues: false })
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    let tokens: Iterable<Token> = []
    try {
      const parsed = parse(decoder.decode(chunk, { stream: true }))
      if (typeof parsed !== 'symbol') tokens = parsed.values
    } catch (error) {
      throw new ImportFailed({ file, reason: `it is not valid JSON (${jsonFault(error)}).` }, { cause: wordless(error) })
    }
    yield tokens
  }
}

/** Makes the failure of a file that ends within its JSON. */
export function brokenOff(file: string): ImportFailed {
  return new ImportFailed({ file, reason: 'its JSON breaks off before its end: the file was cut off. Download or copy it again.' })
}

/** Makes the failure of a file whose JSON is a single text or number. */
export function noListOrObject(file: string): ImportFailed {
  return new ImportFailed({ file, reason: 'its JSON is neither a list nor an object, so there are no conversations in it.' })
}

/** Makes the failure of a file of brackets. */
export function nestedTooDeep(file: string): ImportFailed {
  return new ImportFailed({ file, reason: `its JSON is nested deeper than ${maxDepth} levels: no known export is.` })
}

/** Builds elements from tokens. Keys, strings and numbers come in chunks, so that none can pass the bound unseen. */
export class Elements {
  readonly #file: string
  readonly #maxChars: number
  readonly #assembler = new Assembler()
  #parts: string[] = []
  #depth = 0
  #level: number | undefined
  #held = 0
  #dropping = false

  constructor(file: string, maxChars: number) {
    this.#file = file
    this.#maxChars = maxChars
  }

  /** True once a list or an object began and ended. */
  get complete(): boolean {
    return this.#level !== undefined && this.#depth === 0
  }

  take(token: Token): JsonItem | undefined {
    const level = this.#level ?? this.#begin(token)
    this.#held += charsPerToken
    if (!this.#dropping) this.#assemble(token)
    else if (token.name === 'stringChunk' || token.name === 'numberChunk') return undefined
    this.#count(token)
    if (this.#held > this.#maxChars && !this.#dropping) this.#drop(level)
    return ends(token) && this.#depth === level ? this.#finish(level) : undefined
  }

  #begin(token: Token): number {
    if (token.name !== 'startArray' && token.name !== 'startObject') throw noListOrObject(this.#file)
    this.#level = token.name === 'startArray' ? 1 : 0
    return this.#level
  }

  #assemble(token: Token): void {
    switch (token.name) {
      case 'startKey':
      case 'startString':
      case 'startNumber':
        this.#parts = []
        break
      case 'stringChunk':
      case 'numberChunk':
        this.#parts.push(token.value)
        this.#held += token.value.length
        break
      case 'endKey':
        this.#assembler.keyValue(this.#parts.join(''))
        break
      case 'endString':
        this.#assembler.stringValue(this.#parts.join(''))
        break
      case 'endNumber':
        this.#assembler.numberValue(this.#parts.join(''))
        break
      default:
        this.#assembler.consume(token)
    }
  }

  #count(token: Token): void {
    if (token.name === 'startArray' || token.name === 'startObject') this.#depth += 1
    if (token.name === 'endArray' || token.name === 'endObject') this.#depth -= 1
    if (this.#depth > maxDepth) throw nestedTooDeep(this.#file)
  }

  #drop(level: number): void {
    this.#dropping = true
    this.#parts = []
    this.#assembler.dropToLevel(level)
  }

  #finish(level: number): JsonItem | undefined {
    const dropped = this.#dropping
    this.#dropping = false
    this.#held = 0
    const value = level === 0 ? this.#assembler.current : this.#emptied()
    return dropped ? { kind: 'too large' } : { kind: 'value', value }
  }

  // Takes the element that has just ended, so that the list never grows.
  #emptied(): unknown {
    const list = this.#assembler.current
    return Array.isArray(list) ? list.pop() : undefined
  }
}

const endings: ReadonlySet<string> = new Set(['endObject', 'endArray', 'endString', 'endNumber', 'nullValue', 'trueValue', 'falseValue'])

function ends(token: Token): boolean {
  return endings.has(token.name)
}
