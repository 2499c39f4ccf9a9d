import { Temporal } from 'temporal-polyfill'
import type { TimeSpan } from '../../facts/when/said.ts'

/** The unit that a phrase names: a date is never told more exactly. */
export type DatedUnit = 'day' | 'weekend' | 'week' | 'month' | 'season' | 'year'

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/**
 * Writes a range as its unit: "6 May 2023", "week of 1 May 2023", "6–7 May 2023" for a weekend, "May 2023", "2023". A season has the
 * name as it was said, and both years when it lasts over New Year.
 */
export function dateLabel({ from, to }: TimeSpan, unit: DatedUnit, timeZone: string, season = ''): string {
  const [first, next] = [from, to].map((at) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate())
  if (first === undefined || next === undefined) return ''
  switch (unit) {
    case 'day':
      return dayLabel(first)
    case 'week':
      return `week of ${dayLabel(first)}`
    case 'weekend':
      return daysLabel(first, next.subtract({ days: 1 }))
    case 'month':
      return `${monthLabel(first)} ${first.year}`
    case 'season':
      return `${season} ${yearsLabel(first, next.subtract({ days: 1 }))}`
    case 'year':
      return String(first.year)
  }
}

function monthLabel({ month }: Temporal.PlainDate): string {
  return monthNames[month - 1] ?? ''
}

function dayLabel(date: Temporal.PlainDate): string {
  return `${date.day} ${monthLabel(date)} ${date.year}`
}

function daysLabel(first: Temporal.PlainDate, last: Temporal.PlainDate): string {
  if (first.year !== last.year) return `${dayLabel(first)}–${dayLabel(last)}`
  return first.month === last.month ? `${first.day}–${dayLabel(last)}` : `${first.day} ${monthLabel(first)}–${dayLabel(last)}`
}

function yearsLabel(first: Temporal.PlainDate, last: Temporal.PlainDate): string {
  return first.year === last.year ? String(first.year) : `${first.year}–${String(last.year % 100).padStart(2, '0')}`
}
