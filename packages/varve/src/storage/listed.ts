import { InvalidOption } from '../errors/invalid-option.ts'
import type { Program } from './program.ts'

/** The most items of one page, however many are asked for. */
export const mostListedItems = 100_000

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

/** The place before the newest of all. */
export const newest: TimedPlace = { at: Number.MAX_SAFE_INTEGER, key: 0 }

/** The place that such a list begins at, or goes on from. */
export function timedPlace(list: string, request: ListRequest): TimedPlace {
  const [at, key] = placeOf(list, request, /(-?\d{1,15})\.(\d{1,15})/) ?? []
  return at === undefined ? newest : { at: Number(at), key: Number(key) }
}

/** A page of a list that goes by time, of which it is known what there is. */
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

/** The places that follow the page before, one more than a page has, and the cursor that goes on after one of them. */
interface Places<Place> {
  readonly places: readonly Place[]
  readonly limit: number
  readonly cursorOf: (last: Place) => string
}

/** A page of a list of which it is known what there is: as many of the places as there is room for. */
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

/** The name after which a list in the order of names goes on; '' at its beginning. */
export function namePlace(list: string, request: ListRequest): string {
  const [encoded] = placeOf(list, request, /([\w-]{2,342})/) ?? []
  if (encoded === undefined) return ''
  const name = Buffer.from(encoded, 'base64url').toString()
  if (Buffer.from(name).toString('base64url') !== encoded) throw refused(request.cursor ?? '')
  return name
}

/** A page of a list in the order of names, from its rows and one more. */
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

/** A cursor names its list, so that no other list takes it. */
export function cursorTo(list: string, ...parts: readonly (string | number)[]): string {
  return `${list}:${parts.join('.')}`
}

/**
 * The parts of a request's cursor, as a pattern has them; undefined for the first page. InvalidOption for a cursor of another list or a
 * garbled one, and for a limit out of bounds.
 */
export function placeOf(list: string, { limit, cursor }: ListRequest, parts: RegExp): readonly string[] | undefined {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostListedItems))
    throw new InvalidOption({ option: 'limit', received: String(limit), expected: `a whole number from 1 to ${mostListedItems}` })
  if (cursor === undefined) return undefined
  const place = new RegExp(`^${list}:${parts.source}$`).exec(cursor)
  if (place === null) throw refused(cursor)
  return place.slice(1)
}

function refused(cursor: string): InvalidOption {
  return new InvalidOption({
    option: 'cursor',
    received: JSON.stringify(cursor.slice(0, 80)),
    expected: 'the `cursor` of a page of the same list',
  })
}
