import { Temporal } from 'temporal-polyfill'
import type { Hemisphere } from '../../projects/hemisphere.ts'

export type Tense = 'past' | 'present' | 'future'
type Date = Temporal.PlainDate

/** [from, to) in UTC milliseconds. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** The moment at which something was said, with its tense. */
export interface SaidMoment {
  readonly at: number
  readonly timeZone: string
  readonly tense: Tense
  /** The half of the earth whose seasons are meant. */
  readonly hemisphere: Hemisphere
  /** The day of that moment in the time zone. */
  readonly today: Date
}

/** Years that people talk about; others are slips. */
export const years = { first: 1800, last: 2200 } as const

export function isYear(year: number): boolean {
  return year >= years.first && year <= years.last
}

/** Makes a moment. Undefined when the zone is unknown, or no calendar holds the moment. */
export function saidAt({
  at,
  timeZone,
  tense,
  hemisphere = 'north',
}: {
  readonly at: number
  readonly timeZone: string
  readonly tense: Tense
  readonly hemisphere?: Hemisphere
}): SaidMoment | undefined {
  try {
    const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
    return isYear(today.year) ? { at, timeZone, tense, hemisphere, today } : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Gives the range from one local midnight to another. A day that a zone skipped begins with the next. */
export function span(from: Date, to: Date, { timeZone }: Pick<SaidMoment, 'timeZone'>): TimeSpan {
  return { from: from.toZonedDateTime(timeZone).epochMilliseconds, to: to.toZonedDateTime(timeZone).epochMilliseconds }
}

export function dayOf(date: Date, said: SaidMoment): TimeSpan {
  return span(date, date.add({ days: 1 }), said)
}

/** Gives the week, Monday to Monday. */
export function weekOf(date: Date, said: SaidMoment): TimeSpan {
  const from = mondayOf(date)
  return span(from, from.add({ weeks: 1 }), said)
}

export function monthOf(date: Date, said: SaidMoment): TimeSpan {
  const from = date.with({ day: 1 })
  return span(from, from.add({ months: 1 }), said)
}

export function yearOf(year: number, said: SaidMoment): TimeSpan | undefined {
  if (!isYear(year)) return undefined
  const from = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  return span(from, from.add({ years: 1 }), said)
}

export function mondayOf(date: Date): Date {
  return date.subtract({ days: date.dayOfWeek - 1 })
}

/** Makes a date. Undefined for 30 February, and for a year beyond `years`. */
export function dateOf(year: number, month: number, day: number): Date | undefined {
  if (!isYear(year) || month < 1 || month > 12 || day < 1) return undefined
  const first = Temporal.PlainDate.from({ year, month, day: 1 })
  return day > first.daysInMonth ? undefined : first.with({ day })
}

/** The one of several times that the present tense means: the last that has begun, the first that is not over, or the nearest. */
export type InPresent = 'begun' | 'coming' | 'nearest'

/**
 * Chooses the span that the tense means; spans come in the order of time. `orNow`: true when it may contain the moment
 * itself.
 */
export function meant(spans: readonly TimeSpan[], { at, tense }: SaidMoment, present: InPresent, orNow = true): TimeSpan | undefined {
  if (tense === 'past') return spans.findLast(({ from, to }) => from <= at && (orNow || to <= at))
  if (tense === 'future') return spans.find(({ from, to }) => to > at && (orNow || from > at))
  if (present === 'begun') return spans.findLast(({ from }) => from <= at)
  if (present === 'coming') return spans.find(({ to }) => to > at)
  return spans.toSorted((a, b) => distance(a, at) - distance(b, at))[0]
}

function distance({ from, to }: TimeSpan, at: number): number {
  return at < from ? from - at : at < to ? 0 : at - to
}

/** Gives the yearly times around: eight years on either side, for 29 February. */
export function everyYear({ today }: SaidMoment, of: (year: number) => TimeSpan | undefined): TimeSpan[] {
  return Array.from({ length: 17 }, (_, place) => of(today.year - 8 + place)).filter((found) => found !== undefined)
}

/** Gives a weekday (1 for Monday) in the weeks around. */
export function everyWeek(weekday: number, said: SaidMoment, length = 1): TimeSpan[] {
  const first = mondayOf(said.today).add({ days: weekday - 1 })
  return [-2, -1, 0, 1, 2].map((weeks) => span(first.add({ weeks }), first.add({ days: 7 * weeks + length }), said))
}
