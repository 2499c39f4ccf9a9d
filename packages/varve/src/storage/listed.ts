import { InvalidOption } from '../errors/invalid-option.ts'
import type { Program } from './program.ts'

/** The most text of one list, in bytes: one that comes to more ends early. It always has one item. */
export const mostListedBytes = 16 * 1024 * 1024

/** Rows that are read at once: most have some 20 KiB at most, pages a million. */
const rowsAtOnce = 64

/** Items of a list, and where the next page goes on when there are more. */
export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly cursor?: string
}

/** Which items of a list are wanted: so many, after the place at which another page ended. */
export interface ListRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A row by its number, and how much text it has: what is told of a list before it is read. */
export interface Sized {
  readonly key: number
  readonly bytes: number
}

/** The first of a list that an answer may hold. There are more of them than there is room for when something comes after these. */
export function fitting<Row extends Sized>(rows: readonly Row[], limit: number): readonly Row[] {
  let bytes = 0
  const end = rows.findIndex((row, place) => {
    bytes += row.bytes
    return place === limit || (place > 0 && bytes > mostListedBytes)
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Reads the rows that have some numbers, in any order. */
type Read<Row> = (keys: readonly number[]) => Program<readonly Row[]>

/** Items in the order of their numbers in a list, made of rows that are read some at a time. */
export function* inOrder<Row, Item>(
  keys: readonly Pick<Sized, 'key'>[],
  read: Read<Row>,
  keyOf: (row: Row) => number,
  itemOf: (row: Row) => Item,
): Program<readonly Item[]> {
  const found: Item[] = []
  for (let at = 0; at < keys.length; at += rowsAtOnce) {
    const some = keys.slice(at, at + rowsAtOnce).map(({ key }) => key)
    const items = new Map((yield* read(some)).map((row) => [keyOf(row), itemOf(row)]))
    found.push(...some.flatMap((key) => items.get(key) ?? []))
  }
  return found
}

/** A place in a list that goes by time, and by a number where times are the same. */
export interface TimedPlace {
  readonly at: number
  readonly key: number
}

/** The place that such a list begins at, or goes on from. */
export function timedPlace(cursor: string | undefined): TimedPlace {
  const [at, key] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : placeOf(cursor, /^(-?\d{1,15})\.(\d{1,15})$/).map(Number)
  return { at: at ?? 0, key: key ?? 0 }
}

/** A page of a list that goes by time, of which it is known what there is. */
export function* timedPage<Row, Item>(
  places: readonly (Sized & TimedPlace)[],
  limit: number,
  read: Read<Row>,
  keyOf: (row: Row) => number,
  itemOf: (row: Row) => Item,
): Program<Listed<Item>> {
  const fit = fitting(places, limit)
  const [items, last] = [yield* inOrder(fit, read, keyOf, itemOf), fit.at(-1)]
  return { items, ...(fit.length < places.length && last !== undefined ? { cursor: `${last.at}.${last.key}` } : {}) }
}

/** The place that a cursor is of: parts as a pattern has them. InvalidOption for what is none of this list. */
export function placeOf(cursor: string, pattern: RegExp): readonly string[] {
  const place = pattern.exec(cursor)
  if (place !== null) return place.slice(1)
  throw new InvalidOption({ option: 'cursor', received: JSON.stringify(cursor), expected: 'the `cursor` of a page of the same list' })
}
