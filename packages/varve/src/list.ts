import { InvalidOption } from './errors/invalid-option.ts'
import { shown } from './scope/name.ts'
import { givenObject, inRange, refuseUnknown } from './scope/options.ts'
import type { Listed, ListRequest } from './storage/listed.ts'

/** Items of a list. A list of much text ends early. */
export type List<Item> = readonly Item[] & {
  /** Where the next page goes on; absent when there are no more. */
  readonly cursor?: string
}

export interface ListOptions {
  /** How many at most. */
  readonly limit?: number
  /** The `cursor` of the page before. */
  readonly cursor?: string
}

/** A cursor may hold a name: 256 bytes, as base64. */
const longestCursor = 400

interface ListBounds {
  /** The limit where none is given, and the greatest. */
  readonly usual: number
  readonly most: number
  /** All names of options, where others are refused. */
  readonly known?: ReadonlySet<string>
}

export function listRequest(options: ListOptions, { usual, most, known }: ListBounds): ListRequest {
  if (known !== undefined) refuseUnknown(options, known)
  const { limit, cursor } = givenObject('options', options)
  if (cursor !== undefined && (typeof cursor !== 'string' || cursor.length > longestCursor)) {
    throw new InvalidOption({ option: 'cursor', received: shown(cursor), expected: 'the `cursor` of a page of the same list' })
  }
  return { limit: inRange('limit', limit ?? usual, 1, most, true), ...(cursor === undefined ? {} : { cursor }) }
}

export function listOf<Item>({ items, cursor }: Listed<Item>): List<Item> {
  return cursor === undefined ? items : Object.assign([...items], { cursor })
}
