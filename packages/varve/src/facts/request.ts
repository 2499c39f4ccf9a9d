import { InvalidOption } from '../errors/invalid-option.ts'
import { milliseconds } from '../messages/time.ts'
import { shown } from '../scope/name.ts'

/** A time: Date, ISO 8601 with an offset (or a bare UTC day), or UTC milliseconds. */
export type Time = Date | string | number

/** Which facts are looked for; what is absent is any. */
export interface FactQuery {
  /** A name, or `I`, `me`, `user` for the user. */
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  /** True at this time. Default: at `asOf`, else now. */
  readonly validAt?: Time
  /** As it was believed at this time. Default: now. */
  readonly asOf?: Time
  /** At most, 1 to 10,000. Default 50. */
  readonly limit?: number
}

/** Checked; serialisable. */
export interface FactRequest {
  readonly subject: string | undefined
  readonly predicate: string | undefined
  readonly object: string | undefined
  readonly validAt: number
  readonly asOf: number
  readonly limit: number
}

/** The longest subject, predicate and object, in UTF-16 code units. */
export const longest = { subject: 200, predicate: 100, object: 2_000 } as const

const known: ReadonlySet<string> = new Set(['subject', 'predicate', 'object', 'validAt', 'asOf', 'limit', 'signal', 'deadlineMs'])

export function factRequest(query: FactQuery, now: number): FactRequest {
  refuseUnknownKeys('query', query, known)
  const asOf = query.asOf === undefined ? undefined : time('asOf', query.asOf)
  return {
    subject: optional('subject', query.subject), predicate: optional('predicate', query.predicate), object: optional('object', query.object),
    validAt: query.validAt === undefined ? (asOf ?? now) : time('validAt', query.validAt), asOf: asOf ?? Number.POSITIVE_INFINITY, limit: limitOf(query.limit, 50),
  }
}

/** An object with none but known keys; a key that is misspelt would widen what is asked for. */
export function refuseUnknownKeys(option: string, received: unknown, keys: ReadonlySet<string>): void {
  if (typeof received !== 'object' || received === null || Array.isArray(received)) throw new InvalidOption({ option, received: shown(received), expected: 'an object' })
  const unknown = Object.keys(received).find((key) => !keys.has(key))
  if (unknown !== undefined) throw new InvalidOption({ option: unknown, received: shown(received), expected: `absent: known are ${[...keys].join(', ')}` })
}

export function time(option: string, received: unknown): number {
  const parsed = milliseconds(received)
  if (parsed === undefined) throw new InvalidOption({ option, received: shown(received), expected: 'a Date, ISO 8601 with an offset, or UTC milliseconds' })
  return parsed
}

export function limitOf(received: unknown, usual: number): number {
  if (received === undefined) return usual
  if (typeof received === 'number' && Number.isInteger(received) && received >= 1 && received <= 10_000) return received
  throw new InvalidOption({ option: 'limit', received: shown(received), expected: 'a whole number from 1 to 10000' })
}

/** What a terminal or a reader would obey, and not see: control characters, and changes of direction. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** A subject, predicate or object as it is to be stored: one line, within its bound. */
export function words(option: keyof typeof longest, received: unknown): string {
  if (typeof received === 'string' && received.isWellFormed()) {
    const line = received.replace(/\s+/g, ' ').trim()
    if (line !== '' && !unseen.test(line) && line.length <= longest[option]) return line
  }
  throw new InvalidOption({ option, received: shown(received), expected: `text of 1 to ${longest[option]} characters that is not blank and has none that are not seen` })
}

function optional(option: keyof typeof longest, received: unknown): string | undefined {
  return received === undefined ? undefined : words(option, received)
}
