import { shown } from '../errors/shown.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import type { Program } from './program.ts'

/** The most items of one page, however many the caller asks for. */
export const mostListedItems = 100_000

/** The most text of one page, in bytes. A page with more ends early, but has at least one item. */
export const mostListedBytes = 16 * 1024 * 1024

/** The number of rows that are read at once. Most rows have at most 20 KiB, pages up to a million bytes. */
const rowsAtOnce = 64

/** Items of a list, and the cursor of the next page when there are more. */
export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly cursor?: string
}

/** The wanted items of a list: at most `limit`, after the place at which another page ended. */
export interface ListRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The number of a row and the size of its text, known before the row is read. */
export interface Sized {
  readonly key: number
  readonly bytes: number
}

/** Returns the rows that one answer may hold, from the first on. The list has more rows than room when some remain. */
export function fitting<Row extends Pick<Sized, 'bytes'>>(rows: readonly Row[], limit: number): readonly Row[] {
  let bytes = 0
  const end = rows.findIndex((row, place) => {
    bytes += row.bytes
    return place === limit || (place > 0 && bytes > mostListedBytes)
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Reads the rows that have some numbers, in any order. */
type Read<Row> = (keys: readonly number[]) => Program<readonly Row[]>

/** Returns items in the order of their numbers in a list; their rows are read some at a time. */
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

/** A place in a list ordered by time, and by number where times are equal. */
export interface TimedPlace {
  readonly at: number
  readonly key: number
}

/** The place before the newest of all. */
export const newest: TimedPlace = { at: Number.MAX_SAFE_INTEGER, key: 0 }

/** Returns the place at which a list ordered by time goes on, or the `begin` of its first page. */
export function timedPlace(list: string, request: ListRequest, begin = newest): TimedPlace {
  const [at, key] = placeOf(list, request, /(-?\d{1,16})\.(\d{1,15})/) ?? []
  return at === undefined ? begin : { at: Number(at), key: Number(key) }
}

/** Returns a page of a list ordered by time, whose places are known. */
export function timedPage<Row, Item>(
  list: string,
  places: readonly (Sized & TimedPlace)[],
  limit: number,
  read: Read<Row>,
  keyOf: (row: Row) => number,
  itemOf: (row: Row) => Item,
): Program<Listed<Item>> {
  return pageOf({ places, limit, cursorOf: ({ at, key }) => cursorTo(list, at, key) }, read, keyOf, itemOf)
}

/** The places that follow the page before (one more than a page has), and the cursor after a place. */
interface Places<Place> {
  readonly places: readonly Place[]
  readonly limit: number
  readonly cursorOf: (last: Place) => string
}

/** Returns a page of a list whose places are known: as many items as there is room for. */
export function* pageOf<Place extends Sized, Row, Item>(
  { places, limit, cursorOf }: Places<Place>,
  read: Read<Row>,
  keyOf: (row: Row) => number,
  itemOf: (row: Row) => Item,
): Program<Listed<Item>> {
  const fit = fitting(places, limit)
  const [items, last] = [yield* inOrder(fit, read, keyOf, itemOf), fit.at(-1)]
  return { items, ...(fit.length < places.length && last !== undefined ? { cursor: cursorOf(last) } : {}) }
}

/** Returns the name after which a list ordered by name goes on; '' at its beginning. */
export function namePlace(list: string, request: ListRequest): string {
  const [encoded] = placeOf(list, request, /([\w-]{2,342})/) ?? []
  if (encoded === undefined) return ''
  const name = Buffer.from(encoded, 'base64url').toString()
  if (Buffer.from(name).toString('base64url') !== encoded) throw refused(request.cursor ?? '')
  return name
}

/** Returns a page of a list ordered by name, from its rows and one more. */
export function namedPage<Row extends { readonly name: string }, Item>(
  list: string,
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Row) => Item,
): Listed<Item> {
  const fit = fitting(
    rows.map((row) => ({ row, bytes: Buffer.byteLength(row.name) })),
    limit,
  ).map(({ row }) => row)
  const last = fit.at(-1)
  return {
    items: fit.map(itemOf),
    ...(fit.length < rows.length && last !== undefined ? { cursor: cursorTo(list, Buffer.from(last.name).toString('base64url')) } : {}),
  }
}

/** Makes a cursor that names its list, so that no other list takes it. */
export function cursorTo(list: string, ...parts: readonly (string | number)[]): string {
  return `${list}:${parts.join('.')}`
}

/**
 * Returns the parts of a request's cursor, as a pattern has them; undefined for the first page.
 *
 * Throws InvalidOption for a garbled cursor, for one of another list, and for a limit out of bounds.
 */
export function placeOf(list: string, { limit, cursor }: ListRequest, parts: RegExp): readonly string[] | undefined {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostListedItems))
    throw new InvalidOption({ option: 'limit', received: shown(limit), expected: `a whole number from 1 to ${mostListedItems}` })
  if (cursor === undefined) return undefined
  const place = new RegExp(`^${list}:${parts.source}$`).exec(cursor)
  if (place === null) throw refused(cursor)
  return place.slice(1)
}

function refused(cursor: string): InvalidOption {
  return new InvalidOption({ option: 'cursor', received: shown(cursor), expected: 'the `cursor` of a page of the same list' })
}

/** Reads rows of several partitions by their numbers, those of one partition together. */
export function* rowsOfEach<Row>(
  places: readonly (Sized & { readonly partition: number })[],
  keys: readonly number[],
  read: (partition: number, keys: readonly number[]) => Program<readonly Row[]>,
): Program<readonly Row[]> {
  const wanted = new Set(keys)
  const found: Row[] = []
  const asked = places.filter(({ key }) => wanted.has(key))
  for (const [partition, some] of Map.groupBy(asked, (place) => place.partition)) {
    const rows = yield* read(
      partition,
      some.map(({ key }) => key),
    )
    found.push(...rows)
  }
  return found
}
