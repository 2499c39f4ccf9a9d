import type { ParsedComponents, ParsedResult } from 'chrono-node'
import type { Temporal } from 'temporal-polyfill'
import {
  dateOf,
  dayOf,
  type InPresent,
  isYear,
  meant,
  mondayOf,
  monthOf,
  type SaidMoment,
  type TimeSpan,
  span,
  weekOf,
  yearOf,
} from './said.ts'

type Unit = 'day' | 'week' | 'month' | 'year'

/** The days on which a found time may begin, in the order of time, and the rule that chooses one. */
interface Found {
  readonly unit: Unit
  readonly dates: readonly Temporal.PlainDate[]
  readonly present: InPresent
  /** True when the time may be today. */
  readonly orNow: boolean
}

/** `noon`: the parser's now. `isPlaced`: true when the words say last or next, so that the parser's day stands. */
interface Reckoned {
  readonly noon: number
  readonly isPlaced: boolean
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Turns a parser's answer into a range. It is as long as its certain part: a year, a month, a day, or an hour from a
 * minute on. "Two weeks ago" is that week and "two months ago" that month, of the calendar.
 */
export function componentsTime(result: ParsedResult, { noon, isPlaced }: Reckoned, said: SaidMoment): TimeSpan | undefined {
  const { start, end = null } = result
  const tags = result.tags()
  if (tags.has('casualReference/now')) return dayOf(said.today, said)
  if (tags.has('result/relativeDateAndTime')) {
    const from = said.at + start.date().getTime() - noon
    return { from, to: from < said.at ? Math.min(from + hourMs, said.at) : from + hourMs }
  }
  const found = foundIn(start, { isPlaced, isCasual: [...tags].some((tag) => tag.startsWith('casualReference/')) }, said)
  if (found === undefined) return undefined
  const isAtTime = tellsTime(start, result.text)
  const spans = found.dates.flatMap((date) => (isAtTime ? hours(date, start, end, said) : dates(date, found.unit, start, end, said)) ?? [])
  return spans.length === 1 ? spans[0] : meant(spans, said, found.present, found.orNow || isAtTime)
}

function foundIn(
  start: ParsedComponents,
  { isPlaced, isCasual }: { readonly isPlaced: boolean; readonly isCasual: boolean },
  said: SaidMoment,
): Found | undefined {
  const { today } = said
  const [year, month, day] = [start.get('year') ?? 0, start.get('month') ?? 0, start.get('day') ?? 0]
  const [hasYear, hasMonth, hasDay] = [start.isCertain('year'), start.isCertain('month'), start.isCertain('day')]
  if (start.isCertain('weekday') && !hasDay) {
    const first = mondayOf(today).add({ days: ((start.get('weekday') ?? 0) + 6) % 7 })
    const dates = isPlaced ? [dateOf(year, month, day)] : [-2, -1, 0, 1, 2].map((weeks) => first.add({ weeks }))
    return { unit: 'day', dates: dates.filter((date) => date !== undefined), present: 'coming', orNow: false }
  }
  if (!hasYear && !hasMonth) {
    if (!isCasual && !start.isCertain('hour')) return undefined
    const days = tellsTime(start, '') ? [-1, 0, 1] : [0]
    return { unit: 'day', dates: days.map((by) => today.add({ days: by })), present: 'nearest', orNow: true }
  }
  const unit = !hasMonth
    ? 'year'
    : !hasDay
      ? 'month'
      : start.tags().has('result/relativeDate') && !start.isCertain('weekday')
        ? 'week'
        : 'day'
  const inYears = hasYear ? [year] : Array.from({ length: 17 }, (_, place) => today.year - 8 + place)
  const dates = inYears.map((each) => dateOf(each, hasMonth ? month : 1, hasDay ? day : 1)).filter((date) => date !== undefined)
  return { unit, dates, present: unit === 'month' ? 'begun' : 'nearest', orNow: true }
}

/** Tells whether the time of day is plain. "At 5" does not tell which half of the day is meant. */
function tellsTime(start: ParsedComponents, text: string): boolean {
  if (!start.isCertain('hour')) return false
  return start.isCertain('meridiem') || !start.isCertain('minute') || (start.get('hour') ?? 0) > 12 || /\d[:.h]\d\d/.test(text)
}

/** Gives an hour from the said minute, or the time until the said end. */
function hours(date: Temporal.PlainDate, start: ParsedComponents, end: ParsedComponents | null, said: SaidMoment): TimeSpan {
  const [hour, minute, offset] = [start.get('hour') ?? 0, start.get('minute') ?? 0, start.get('timezoneOffset')]
  const from =
    start.isCertain('timezoneOffset') && offset !== null
      ? Date.UTC(date.year, date.month - 1, date.day, hour, minute) - offset * 60_000
      : date.toPlainDateTime({ hour, minute }).toZonedDateTime(said.timeZone).epochMilliseconds
  const length = end === null ? hourMs : (end.date().getTime() - start.date().getTime()) % dayMs
  return { from, to: from + (length > 0 ? length : length + dayMs) }
}

/** Gives the time from the first unit to the last. */
function dates(
  date: Temporal.PlainDate,
  unit: Unit,
  start: ParsedComponents,
  end: ParsedComponents | null,
  said: SaidMoment,
): TimeSpan | undefined {
  const first = unitOf(date, unit, said)
  if (end === null || first === undefined) return first
  if (!isYear(end.get('year') ?? 0)) return undefined
  const last = unitOf(endOf(date, start, end), unit, said)
  return last === undefined || last.to <= first.from ? undefined : { from: first.from, to: last.to }
}

/**
 * Finds the end: as many days or months after the begin as the parser found. A year is added where the parser went
 * back, as from November to January.
 */
function endOf(date: Temporal.PlainDate, start: ParsedComponents, end: ParsedComponents): Temporal.PlainDate {
  if (!start.isCertain('day') && !end.isCertain('day') && !start.isCertain('weekday')) {
    const months = monthsIn(end) - monthsIn(start)
    return date.add({ months: months < 0 ? months + 12 : months })
  }
  const days = Math.round((middayOf(end) - middayOf(start)) / dayMs)
  return date.add({ days: days < 0 ? days + (start.isCertain('month') ? 365 : 7) : days })
}

function monthsIn(said: ParsedComponents): number {
  return (said.get('year') ?? 0) * 12 + (said.get('month') ?? 0)
}

function middayOf(said: ParsedComponents): number {
  return Date.UTC(said.get('year') ?? 0, (said.get('month') ?? 1) - 1, said.get('day') ?? 1, 12)
}

function unitOf(date: Temporal.PlainDate, unit: Unit, said: SaidMoment): TimeSpan | undefined {
  switch (unit) {
    case 'day':
      return span(date, date.add({ days: 1 }), said)
    case 'week':
      return weekOf(date, said)
    case 'month':
      return monthOf(date, said)
    case 'year':
      return yearOf(date.year, said)
  }
}
