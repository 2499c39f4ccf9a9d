import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { dateParser } from '../index/date-parser.ts'
import type { AskedCalendar } from './calendar.ts'
import { askedMoment, dayMs, type LocalRange, monthsFrom } from './dates/calendar.ts'
import { respelled } from './dates/spelling.ts'
import { type TimeWord, timeWordsIn } from './dates/time-words.ts'
import { bareYears, blanked, joined, ruledTimes, type TimeInText } from './dates/times-in.ts'
import { aMonth, thenNoThing } from './dates/words.ts'
import { withYears } from './dates/years-in-words.ts'
import { momentOf, offsetAt } from './dates/zone.ts'

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

/** The times of a question, and the question with blanks in their place. */
interface DatesAndRest extends AskedDates {
  readonly rest: string
}

/** The languages of a partition's talk whose dates chrono-node reads. */
const languagesRead: ReadonlySet<string> = new Set(['de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'ru', 'uk', 'sv', 'zh'])

/** The parser is tried for an English text with one of these. It reads "at 5 pm" beside a day that a rule has read. */
const parsed: readonly TimeWord[] = ['date', 'clock', 'unit', 'month', 'weekday', 'near']

const none: DatesAndRest = { ranges: [], yearly: [], rest: '' }
/** "Now" and "today" stand in any talk; only a date says when. */
const aboutNow = /^(?:now|today|right now|heute|jetzt)$/i

/** The most of a question that is read for dates, in UTF-16 code units. */
const mostRead = 500

/**
 * Reads the times that a question says, in the language of the talk or in English, by the calendar of the project.
 * "Yesterday" is reckoned from now. English times are past ones: "last spring" is over, and "on Friday" was before today.
 */
export function askedDates(question: string, languages: readonly string[], calendar: AskedCalendar): AskedDates {
  const { ranges, yearly } = datesAndRest(question, languages, calendar)
  return { ranges, yearly }
}

interface LastRead {
  readonly question: string
  readonly other: string | undefined
  readonly found: DatesAndRest
}

/**
 * The last reading by each calendar. A request searches messages, gists and documents, each with the same question, and a new process
 * feels each reading of its dates.
 */
const lastRead = new WeakMap<AskedCalendar, LastRead>()

/** Reads the same times, and gives the question without them. */
export function datesAndRest(question: string, languages: readonly string[], calendar: AskedCalendar): DatesAndRest {
  const other = languages.find((language) => languagesRead.has(language))
  const last = lastRead.get(calendar)
  if (last?.question === question && last.other === other) return last.found
  const found = readDates(question, other, calendar)
  lastRead.set(calendar, { question, other, found })
  return found
}

function readDates(question: string, other: string | undefined, { now, timeZone, hemisphere }: AskedCalendar): DatesAndRest {
  const asSaid = question.slice(0, mostRead)
  // In another language "octobre" is spelt well.
  const whole = readable(other === undefined ? respelled(asSaid) : asSaid)
  const said = timeWordsIn(whole)
  // "In the morning" alone tells no day.
  const isEnglish = [...said].some((kind) => kind !== 'clock')
  if (other === undefined && !isEnglish) return none
  const offset = offsetAt(now, timeZone)
  const asked = askedMoment(now + offset, hemisphere)
  const text = said.has('unit') ? withYears(whole, asked.year) : whole
  const ruled = isEnglish ? ruledTimes(text, said, asked) : { times: [], rest: text }
  const times: TimeInText[] = [...ruled.times]
  const yearly: YearlyDate[] = []
  let { rest } = ruled
  const left = timeWordsIn(ruled.rest)
  const isLeft = parsed.some((word) => left.has(word))
  for (const language of [...(other === undefined ? [] : [other]), ...(isLeft ? ['en'] : [])]) {
    for (const found of dateParser(language).parse(ruled.rest, { instant: new Date(now), timezone: offset / 60_000 })) {
      rest = blanked(rest, found.index, found.index + found.text.length)
      if (!tellsDate(found, ruled.rest, language)) continue
      const last = found.end ?? found.start
      if (found.start.isCertain('year') || last.isCertain('year'))
        times.push({
          start: found.index,
          end: found.index + found.text.length,
          range: rangeOf(found.start, last),
          isWhole: !found.tags().has('result/relativeDate') && !/casualReference/.test([...found.tags()].join(' ')),
        })
      else yearly.push(...monthsOf(found.start, last))
    }
  }
  const ranges = joined(text, [...times, ...bareYears(rest)], asked).map(({ from, to }) => ({
    from: momentOf(from, timeZone),
    to: momentOf(to, timeZone),
  }))
  return ranges.length > 0 ? { ranges, yearly: [], rest } : yearly.length > 0 ? { ranges, yearly, rest } : none
}

/** "The 3rd to the 9th of March": the parser would read the 9th alone. */
const daysOfMonth = new RegExp(
  String.raw`\b(?:the )?(?<first>\d{1,2})(?:st|nd|rd|th)? (?:to|until|till) ` +
    String.raw`(?:the )?(?<last>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?=${aMonth}\b)`,
  'gi',
)

/** "From 3 May to 9 May 2023" would be read as all of May. */
const fromDay = new RegExp(String.raw`\bfrom (?=\d{1,2}(?:st|nd|rd|th)?(?: of)? ${aMonth}\b|${aMonth} \d)`, 'gi')

/**
 * Rewrites English for the parser. Of "the evening of 7 July" it would read the evening alone, and in "between May and
 * July" two dates.
 */
function readable(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replaceAll('’', "'")
    .replace(/\b(?:the )?(?:morning|afternoon|evening|night|noon|midnight) of /gi, '')
    .replace(/\bbetween (.{1,30}?) and /i, 'from $1 to ')
    .replace(daysOfMonth, '$<first> to $<last> ')
    .replace(fromDay, '')
}

const onlyMonth = new RegExp(`^${aMonth}$`, 'i')
const beforeMonth = new RegExp(
  String.raw`\b(?:in|for|during|since|until|till|by|from|through|around|early|mid|late|` +
    String.raw`(?:end|start|beginning|middle|rest|half|month|days?|weeks?) of)[ -]$`,
  'i',
)
const beforeAnyMonth = /\b(?:the|our|my|your|that)\s$/i
const afterMonth = new RegExp(`^${thenNoThing}`, 'i')

/** "For half an hour", "in two days": how long something lasts, or what is to come. */
const lasts = /^(?:for|in|within|during the next|half)\b.*\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)$/i

/** Tells whether a parsed phrase is a date. A name of a month may be a person's, or another word. */
function tellsDate({ start, index, text }: ParsedResult, whole: string, language: string): boolean {
  if (aboutNow.test(text) || !start.isCertain('month') || lasts.test(text)) return false
  if (language !== 'en' || !onlyMonth.test(text)) return true
  const [before, after] = [whole.slice(0, index), whole.slice(index + text.length)]
  if (beforeMonth.test(before)) return !/^(?:mar|march|may)$/i.test(text) || afterMonth.test(after)
  return beforeAnyMonth.test(before) && !/^(?:mar|march|may|august)$/i.test(text)
}

/** Gives the time from the first to the last day, or month when no day is said. */
function rangeOf(start: ParsedComponents, end: ParsedComponents): LocalRange {
  const isDay = start.isCertain('day')
  const [first, last] = [spanOf(start, isDay), spanOf(end, isDay)]
  return { from: first.from, to: Math.max(first.to, last.to) }
}

function spanOf(said: ParsedComponents, isDay: boolean): LocalRange {
  const [year, monthOfYear, day] = [said.get('year') ?? 0, monthOf(said), said.get('day') ?? 1]
  const from = Date.UTC(year, monthOfYear, day)
  return isDay ? { from, to: from + dayMs } : monthsFrom(year, monthOfYear)
}

/** Gives all days from the first to the last when both are of one month; else all months from the first to the last. */
function monthsOf(start: ParsedComponents, end: ParsedComponents): YearlyDate[] {
  const [first, last] = [monthOf(start), monthOf(end)]
  if (first === last && !start.isCertain('day')) return [{ month: first, day: undefined }]
  if (first === last) {
    const [from, to] = [start.get('day') ?? 1, end.get('day') ?? 1]
    return Array.from({ length: Math.max(1, to - from + 1) }, (_, step) => ({ month: first, day: from + step }))
  }
  return Array.from({ length: ((last - first + 12) % 12) + 1 }, (_, step) => ({ month: (first + step) % 12, day: undefined }))
}

/** Gives the month, 0 for January. */
function monthOf(said: ParsedComponents): number {
  return (said.get('month') ?? 1) - 1
}
