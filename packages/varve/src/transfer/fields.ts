import * as z from 'zod'
import { earliestMs } from '../messages/time.ts'
import { reasonToRefuse } from '../scope/name.ts'

// The fields of an export's records. One set of schemas checks lines, types the code, and makes the published JSON Schema.

/** The most characters of texts, by the room that wrote them. Bounds are generous: a writer's own bound may grow. */
export const recordLongest = { content: 1024 * 1024, page: 4 * 1024 * 1024, line: 2_000_000, name: 512, key: 4_096, short: 256 } as const

/** The most entries of a list in one record. */
const mostEntries = 100_000

/** The times of a record: days before and after have no name of four digits. */
const times = { earliest: earliestMs, latest: Date.parse('9999-12-30T00:00:00Z') } as const

/** The latest moment of which a fact may tell: the last that a Date can hold. */
const lastMoment = 8_640_000_000_000_000

/** The last place or revision of a record: more than any session has, and its successors are whole numbers still. */
const lastPlace = 1_000_000_000_000

const wellFormed = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const text = (most: number = recordLongest.content) => z.string().max(most).refine(wellFormed, { error: 'valid Unicode without NUL' })
const name = () => text(recordLongest.name).min(1)
const scopeName = () => z.string().refine((received) => reasonToRefuse(received) === undefined, { error: 'a name' })
const key = () => text(recordLongest.key)
const writer = () => text(recordLongest.name)
const id = () => z.uuid()
const whole = (most: number = lastPlace) => z.int().min(0).max(most)
/** A place of a message in its session. */
const place = () => z.int().min(1).max(lastPlace)
/** UTC milliseconds. */
const time = () => z.int().min(times.earliest).max(times.latest)
/** UTC milliseconds of which a fact tells. */
const moment = () => z.int().min(-lastMoment).max(lastMoment)
const language = () => z.string().regex(/^[a-z]{0,3}$/)
/** A language with the weight of what was said in it; `unknown` where it could not be told. */
const votes = () => z.record(z.string().regex(/^(?:[a-z]{2,3}|unknown)$/), z.number().min(0).max(lastPlace))
const flag = () => z.boolean()
const listOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).max(mostEntries)
const range = () => z.tuple([whole(), whole()]).refine(([from, to]) => from <= to, { error: '[from, to] with from up to to' })
/** Messages of a session: its name, the first and the last place. */
const span = () => z.tuple([scopeName(), place(), place()]).refine(([, from, to]) => from <= to, { error: 'from up to to' })

/** Tells whether a value has at most so many characters as JSON. One that is nested too deep to be written has more. */
export function isShortAsJson(value: unknown, most: number): boolean {
  try {
    return JSON.stringify(value).length <= most
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A JSON object of a caller's, of at most so many characters as JSON. */
const object = (most: number) =>
  z.record(z.string(), z.unknown()).refine((received) => isShortAsJson(received, most), { error: `at most ${most} characters as JSON` })

/** The fields of records, by name. */
export const recordFields = {
  text,
  name,
  scopeName,
  key,
  writer,
  id,
  whole,
  place,
  time,
  moment,
  language,
  votes,
  flag,
  listOf,
  range,
  span,
  object,
}
