import type { Message, MessageInput } from '../../messages/message.ts'
import { fromPlain, isExactJson, toPlain } from '../exact-value.ts'
import { searchable } from '../stored-messages.ts'
import type { Namespace } from './namespace.ts'
import { textOfValue } from './value-text.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a message says of the item that it holds. */
export interface ItemHead {
  readonly namespace: Namespace
  readonly key: string
  /** UTC milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  /** False when it was put with `index: false`. */
  readonly isSearched: boolean
}

/** A value to store, with the paths that are searched. */
export interface PutItem {
  readonly namespace: Namespace
  readonly key: string
  readonly value: object
  readonly index?: false | readonly string[] | undefined
}

const field = 'langgraph'
const partType = 'langgraph-item'

/** The labels of a namespace that recall filters by. */
const filteredLabels = 8

/** The content of an item in which nothing is searched: it has no word. */
const nothingSearched = '–'

/** Makes the metadata by which recall finds only items under a prefix. */
export function labelsOf(namespace: Namespace): Readonly<Record<string, string>> {
  return Object.fromEntries(namespace.slice(0, filteredLabels).map((label, at) => [`${field}${at}`, label]))
}

/** Makes the message of an item: the value as a part, and its texts as the words that are searched. */
export function messageOfPut({ namespace, key, value, index }: PutItem, createdAt: number | undefined): MessageInput {
  const part = isExactJson(value) ? { type: partType, value } : { type: partType, plain: toPlain(value) }
  const text = index === false ? '' : searchable(textOfValue(value, index))
  return {
    // It is data of a program: it never becomes a fact about a person.
    role: 'tool',
    content: text === '' ? nothingSearched : text,
    parts: [part],
    metadata: {
      [field]: { namespace: [...namespace], key, isSearched: text !== '', ...(createdAt === undefined ? {} : { createdAt }) },
      ...labelsOf(namespace),
    },
  }
}

/** Reads which item a message holds. Undefined for any other message. */
export function itemHeadOf({ metadata, parts, at }: Message): ItemHead | undefined {
  const { namespace, key, createdAt, isSearched }: Fields = Object(metadata?.[field])
  const { type }: Fields = Object(parts?.[0])
  if (type !== partType || typeof key !== 'string' || !Array.isArray(namespace)) return undefined
  return {
    namespace: namespace.map(String),
    key,
    createdAt: typeof createdAt === 'number' ? createdAt : at,
    updatedAt: at,
    isSearched: isSearched === true,
  }
}

/** Reads the value that a message holds. */
export function valueOf({ parts }: Message): Record<string, unknown> {
  const { value, plain }: Fields = Object(parts?.[0])
  const read: unknown = plain === undefined ? value : fromPlain(plain)
  return Object(read)
}
