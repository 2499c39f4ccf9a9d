import type { Token } from 'stream-json/parser.js'
import {
  brokenOff,
  Elements,
  type JsonBytes,
  type JsonItem,
  jsonTokens,
  maxConversationChars,
  maxDepth,
  nestedTooDeep,
  noListOrObject,
} from './json-values.ts'

/** An element of a list. `list` is the list's key in the file's object; '' where the file itself is the list. */
export type ListedItem = JsonItem & { readonly list: string }

/** The longest key of a list that is told apart. */
const maxKeyChars = 100

/**
 * Yields the elements of a JSON file that is a list, or an object of lists, such as `{ results: [ … ] }`. Holds one
 * element, so the lists may be of any length. Other fields of the object are passed over.
 */
export async function* jsonLists(source: JsonBytes, maxChars = maxConversationChars): AsyncGenerator<ListedItem> {
  const lists = new Lists(source.file, maxChars)
  for await (const tokens of jsonTokens(source)) {
    for (const token of tokens) {
      const item = lists.take(token)
      if (item !== undefined) yield { ...item, list: lists.key }
    }
  }
  if (!lists.complete) throw brokenOff(source.file)
}

class Lists {
  readonly #file: string
  readonly #maxChars: number
  /** The list that is being read. */
  #elements: Elements | undefined
  #isObject = false
  #depth = 0
  #inKey = false
  /** The key of the list; '' for the file's own. */
  key = ''
  complete = false

  constructor(file: string, maxChars: number) {
    this.#file = file
    this.#maxChars = maxChars
  }

  take(token: Token): JsonItem | undefined {
    if (this.#elements === undefined && !this.#beginsList(token)) {
      this.#passOver(token)
      return undefined
    }
    this.#elements ??= new Elements(this.#file, this.#maxChars)
    const item = this.#elements.take(token)
    if (this.#elements.complete) {
      this.#elements = undefined
      this.complete = !this.#isObject
    }
    return item
  }

  #beginsList({ name }: Token): boolean {
    if (this.complete || (!this.#isObject && name !== 'startArray' && name !== 'startObject')) throw noListOrObject(this.#file)
    return name === 'startArray' && this.#depth === (this.#isObject ? 1 : 0)
  }

  #passOver(token: Token): void {
    this.#isObject = true
    if (token.name === 'startArray' || token.name === 'startObject') this.#depth += 1
    if (token.name === 'endArray' || token.name === 'endObject') this.#depth -= 1
    if (this.#depth > maxDepth) throw nestedTooDeep(this.#file)
    if (this.#depth === 0) this.complete = true
    if (this.#depth === 1) this.#readKey(token)
  }

  #readKey(token: Token): void {
    if (token.name === 'startKey') {
      this.#inKey = true
      this.key = ''
    } else if (token.name === 'endKey') this.#inKey = false
    else if (token.name === 'stringChunk' && this.#inKey && this.key.length < maxKeyChars) this.key += token.value
  }
}
