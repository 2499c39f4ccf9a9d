import { Temporal } from 'temporal-polyfill'
import { growingCache } from '../caches/growing-cache.ts'
import type { Granularity } from './granularity.ts'

const dayMs = 86_400_000

/** Days, periods, ends and labels that are remembered, of each: some ten years in one zone. */
const maxRemembered = 8_192

interface LocalDay {
  readonly day: string
  readonly from: number
  readonly to: number
}

const days = growingCache<string, readonly LocalDay[]>(maxRemembered)
const parents = growingCache<string, string>(maxRemembered)
const ends = growingCache<string, number>(maxRemembered)
const labels = growingCache<string, string>(maxRemembered)

/**
 * Gives the day of a moment (UTC milliseconds) in an IANA time zone, `YYYY-MM-DD`. Days do not overlap: each lasts from
 * its first midnight to that of the next. This holds where the clock is put back over midnight, too. An unknown zone is
 * a RangeError.
 */
export function localDay(at: number, timeZone: string): string {
  const key = `${timeZone} ${Math.floor(at / dayMs)}`
  const known = days.get(key) ?? []
  const found = known.find(({ from, to }) => from <= at && at < to)
  if (found !== undefined) return found.day
  const day = dayOf(at, timeZone)
  days.set(key, [...known, day])
  return day.day
}

function dayOf(at: number, timeZone: string): LocalDay {
  let date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
  let [from, to] = [startOf(date, timeZone), startOf(date.add({ days: 1 }), timeZone)]
  // When the clock is put back over midnight, it shows the last minutes of a day again after the next has begun.
  while (to <= at) {
    date = date.add({ days: 1 })
    ;[from, to] = [to, startOf(date.add({ days: 1 }), timeZone)]
  }
  return { day: date.toString(), from, to }
}

/** Gives the first moment of a day. A day that a zone skipped begins with the next. */
function startOf(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds
}

/** Gives the period of a granularity in which a day lies: the day itself, `2026-W53` (ISO), `2026-12`, `2026`. */
export function periodOf(day: string, granularity: Granularity): string {
  if (granularity === 'conversation' || granularity === 'day') return day
  const week = parentPeriod(day, 'day')
  if (granularity === 'week') return week
  const month = parentPeriod(week, 'week')
  return granularity === 'month' ? month : parentPeriod(month, 'month')
}

/** Gives the period one rung higher. A week belongs to the month of its Thursday, so the rungs nest. */
export function parentPeriod(period: string, granularity: Exclude<Granularity, 'year'>): string {
  if (granularity === 'conversation') return period
  if (granularity === 'month') return period.slice(0, -3)
  const known = parents.get(period)
  if (known !== undefined) return known
  const parent = granularity === 'day' ? weekOf(period) : monday(period).add({ days: 3 }).toPlainYearMonth().toString()
  parents.set(period, parent)
  return parent
}

/** Gives the end of a period in a time zone: UTC milliseconds, exclusive. */
export function periodEnd(granularity: Granularity, period: string, timeZone: string): number {
  const key = `${timeZone} ${period}`
  const known = ends.get(key)
  if (known !== undefined) return known
  const end = startOf(afterLastDay(granularity, period), timeZone)
  ends.set(key, end)
  return end
}

/** Names a period to a reader, in English: `Thu 31 Dec 2026`, `Week of 28 Dec 2026`, `December 2026`, `2026`. */
export function periodLabel(granularity: Granularity, period: string): string {
  if (granularity === 'year') return period
  const known = labels.get(period)
  if (known !== undefined) return known
  const text = granularity === 'month' ? monthLabel(period) : dayLabel(granularity, firstDay(granularity, period))
  labels.set(period, text)
  return text
}

/** Made when a period is first named: the first takes 7 ms. */
let longMonth: Intl.DateTimeFormat | undefined
let shortDay: Intl.DateTimeFormat | undefined

function monthLabel(period: string): string {
  longMonth ??= new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'long', year: 'numeric' })
  return longMonth.format(new Date(`${period}-01T00:00:00Z`))
}

/** Puts a label together from parts: the commas of a whole date change with the version of ICU. */
function dayLabel(granularity: Granularity, date: Temporal.PlainDate): string {
  shortDay ??= new Intl.DateTimeFormat('en', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const parts = new Map(shortDay.formatToParts(startOf(date, 'UTC')).map(({ type, value }) => [type, value]))
  const text = `${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`
  return granularity === 'week' ? `Week of ${text}` : `${parts.get('weekday')} ${text}`
}

function weekOf(day: string): string {
  const { yearOfWeek = 0, weekOfYear = 0 } = Temporal.PlainDate.from(day)
  return `${String(yearOfWeek).padStart(4, '0')}-W${String(weekOfYear).padStart(2, '0')}`
}

/** Gives the Monday of an ISO week: 4 January is always in the first. */
function monday(week: string): Temporal.PlainDate {
  const [year, number] = week.split('-W').map(Number)
  const inFirst = Temporal.PlainDate.from({ year: year ?? Number.NaN, month: 1, day: 4 })
  return inFirst.subtract({ days: inFirst.dayOfWeek - 1 }).add({ weeks: (number ?? Number.NaN) - 1 })
}

function firstDay(granularity: Granularity, period: string): Temporal.PlainDate {
  if (granularity === 'week') return monday(period)
  if (granularity === 'year') return firstDay('month', `${period}-01`)
  if (granularity !== 'month') return Temporal.PlainDate.from(period)
  const first = Temporal.PlainDate.from(`${period}-01`)
  // The first Thursday of the month, and three days back.
  return first.add({ days: (11 - first.dayOfWeek) % 7 }).subtract({ days: 3 })
}

function afterLastDay(granularity: Granularity, period: string): Temporal.PlainDate {
  const first = firstDay(granularity, period)
  if (granularity === 'week') return first.add({ weeks: 1 })
  if (granularity === 'year') return firstDay('month', `${String(Number(period) + 1).padStart(4, '0')}-01`)
  if (granularity === 'month') return firstDay('month', Temporal.PlainYearMonth.from(period).add({ months: 1 }).toString())
  return first.add({ days: 1 })
}

const forms: Readonly<Record<Granularity, RegExp>> = {
  conversation: /^\d{4}-\d{2}-\d{2}$/,
  day: /^\d{4}-\d{2}-\d{2}$/,
  week: /^\d{4}-W\d{2}$/,
  month: /^\d{4}-\d{2}$/,
  year: /^\d{4}$/,
}

/** Gives the first day of a period; undefined for a text that names none, such as 2026-13. */
export function dayWithin(granularity: Granularity, period: string): string | undefined {
  if (!forms[granularity].test(period)) return undefined
  try {
    return firstDay(granularity, period).toString()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
