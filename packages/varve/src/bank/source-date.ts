import { withoutAddedDates } from '../models/added-dates.ts'
import type { Granularity } from './granularity.ts'
import { periodLabel } from './periods.ts'

/** The period of an entry. */
export interface DatedPeriod {
  readonly granularity: Granularity
  readonly period: string
}

/**
 * Puts a date behind a line that is shown under a month or a year, as far as that label and the line do not tell it:
 * `(8 Oct)` under 2026, `(week of 29 Dec 2025)` where the year is another one.
 */
export function withSource(line: string, { from, shownUnder }: { readonly from: DatedPeriod; readonly shownUnder: DatedPeriod }): string {
  const [date, told] = [dateOf(from), dateOf(shownUnder)]
  // A week's label is near enough. A line with a date that Varve put there tells its time by itself.
  if (date === told || shownUnder.granularity === 'week' || withoutAddedDates(line) !== line) return line
  const year = date.slice(-5)
  const short = told.endsWith(year.trim()) ? date.slice(0, -year.length) : date
  return line.includes(` ${short}`) || line.includes(`(${short}`) ? line : `${line} (${short})`
}

const source = / \((?:week of )?(?:\d{1,2} )?[A-Z][a-z]{2,8}(?: \d{4})?\)$/

/** Gives a line without the date that `withSource` put behind it. */
export function withoutSource(line: string): string {
  return line.replace(source, '')
}

/** Gives a period as its label names it, without the day of the week. */
function dateOf({ granularity, period }: DatedPeriod): string {
  return periodLabel(granularity, period)
    .replace(/^[A-Z][a-z]{2} (?=\d{1,2} )/, '')
    .replace('Week', 'week')
}
