import type { ParsedComponents } from 'chrono-node'
import { dateParser } from '../index/date-parser.ts'

/** A stretch of time that a question speaks of: UTC milliseconds, [from, to). */
export interface DateRange {
  readonly from: number
  readonly to: number
}

/** A month of any year (0 to 11), perhaps with a day. */
export interface YearlyDate {
  readonly month: number
  readonly day: number | undefined
}

export interface AskedDates {
  readonly ranges: readonly DateRange[]
  /** Empty when a range is said: "in May" beside a year means that May. */
  readonly yearly: readonly YearlyDate[]
}

/** The languages of a partition's talk whose dates chrono-node reads. */
const languagesRead: ReadonlySet<string> = new Set(['de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'ru', 'uk', 'sv', 'zh'])

/** An English question without any of these says no date. */
const mayBeDate = new RegExp(
  String.raw`\d|\b(?:yesterday|today|tomorrow|tonight|ago|last|past|this|next|week|month|year|day|weekend|mon|` +
    String.raw`tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`,
  'i',
)

const none: AskedDates = { ranges: [], yearly: [] }
const bareYear = /\b(?:19|20)\d\d\b/g
/** "Now" and "today" stand in any talk; only a date says when. */
const aboutNow = /^(?:now|today|right now|heute|jetzt)$/i

/** The most of a question that is read for dates, in UTF-16 code units. */
const mostRead = 500

/**
 * Reads the dates that a question says, in the language of the talk or in English. "Yesterday" is reckoned from `now`.
 * Days and years are UTC's.
 */
export function askedDates(question: string, languages: readonly string[], now: number): AskedDates {
  const text = readable(question.slice(0, mostRead))
  const other = languages.find((language) => languagesRead.has(language))
  const read = [...(other === undefined ? [] : [other]), ...(mayBeDate.test(text) ? ['en'] : [])]
  const said = read.flatMap((language) => dateParser(language).parse(text, { instant: new Date(now), timezone: 0 }))
  const ranges: DateRange[] = []
  const yearly: YearlyDate[] = []
  for (const { start, end, text: words } of said) {
    if (aboutNow.test(words) || !start.isCertain('month')) continue
    const last = end ?? start
    if (start.isCertain('year') || last.isCertain('year')) ranges.push(rangeOf(start, last))
    else yearly.push(...monthsOf(start, last))
  }
  const rest = said.reduce((left, { text: words }) => left.replace(words, ' '), text)
  for (const [year] of rest.matchAll(bareYear)) ranges.push({ from: Date.UTC(Number(year), 0), to: Date.UTC(Number(year) + 1, 0) })
  return ranges.length > 0 ? { ranges, yearly: [] } : yearly.length > 0 ? { ranges, yearly } : none
}

/**
 * Rewrites English for the parser. Of "the evening of 7 July" it would read the evening alone, and in "between May and
 * July" two dates.
 */
function readable(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\b(?:the )?(?:morning|afternoon|evening|night|noon|midnight) of /gi, '')
    .replace(/\bbetween (.{1,30}?) and /i, '$1 to ')
}

/** Gives the time from the first to the last day, or month when no day is said. */
function rangeOf(start: ParsedComponents, end: ParsedComponents): DateRange {
  const isDay = start.isCertain('day')
  const [first, last] = [spanOf(start, isDay), spanOf(end, isDay)]
  return { from: first.from, to: Math.max(first.to, last.to) }
}

function spanOf(said: ParsedComponents, isDay: boolean): DateRange {
  const [year, month, day] = [said.get('year') ?? 0, monthOf(said), said.get('day') ?? 1]
  return isDay
    ? { from: Date.UTC(year, month, day), to: Date.UTC(year, month, day + 1) }
    : { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
}

/** Gives the first and the last day when both are of one month; else all months from the first to the last. */
function monthsOf(start: ParsedComponents, end: ParsedComponents): YearlyDate[] {
  const [month, last] = [monthOf(start), monthOf(end)]
  const days = start.isCertain('day') ? [start.get('day') ?? 1, end.get('day') ?? 1] : [undefined]
  if (month === last) return [...new Set(days)].map((day) => ({ month, day }))
  return Array.from({ length: ((last - month + 12) % 12) + 1 }, (_, step) => ({ month: (month + step) % 12, day: undefined }))
}

/** Gives the month, 0 for January. */
function monthOf(said: ParsedComponents): number {
  return (said.get('month') ?? 1) - 1
}
