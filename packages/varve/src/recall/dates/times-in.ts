import { type AskedMoment, type LocalRange, monthsFrom, untilNow } from './calendar.ts'
import { dateRules } from './rules.ts'
import type { TimeWord } from './time-words.ts'
import { aYear, verbsWithAfter } from './words.ts'

/** A time that a question tells, and its place in the text. */
export interface TimeInText {
  readonly start: number
  readonly end: number
  readonly range: LocalRange
  /** True when the words name the year. */
  readonly isWhole: boolean
}

/** Times that were found, and the text without their words: as many blanks keep the places of the rest. */
export interface TimesInText {
  readonly times: readonly TimeInText[]
  readonly rest: string
}

const hasYear = /\d{4}/

/** The begin of what lies before a time. Nothing was said earlier. */
const firstTime = 0

/** Finds the times of one question by the rules, given the kinds of its words that tell a time. */
export function ruledTimes(text: string, said: ReadonlySet<TimeWord>, asked: AskedMoment): TimesInText {
  const times: TimeInText[] = []
  let rest = text
  for (const { pattern, read } of dateRules.flatMap(({ words, rules }) => (words.some((word) => said.has(word)) ? rules : []))) {
    for (const found of rest.matchAll(pattern)) {
      const [start, end] = [found.index, found.index + found[0].length]
      const range = read(found.groups ?? {}, asked)
      if (range !== undefined) times.push({ start, end, range, isWhole: hasYear.test(found[0]) })
      rest = blanked(rest, start, end)
    }
  }
  return { times, rest }
}

export function blanked(text: string, start: number, end: number): string {
  return `${text.slice(0, start)}${' '.repeat(end - start)}${text.slice(end)}`
}

/** A number like a year that counts, or names something else. */
const things =
  '(?:port|room|error|line|issue|pr|pull request|ticket|build|version|model|number|no|nr|flat|page|code|pin|top|office|windows)'
const measures =
  String.raw`(?:tokens?|dollars?|euros?|pounds?|kg|km|miles?|steps?|calories|kcal|people|users?|words?|lines?|requests?|` +
  String.raw`rows?|items?|ms|mb|gb|px|watts?|hours?|minutes?|days?|points?|times|metres|meters|feet)`
const bareYear = new RegExp(String.raw`(?<![\w$€£#/.:-]|\d,|\b${things} (?:is )?)(?:${aYear})(?![\w%/:-]|[.,]\d| ?(?:${measures})\b)`, 'gi')

/** Finds years in figures. */
export function bareYears(text: string): TimeInText[] {
  return [...text.matchAll(bareYear)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    range: monthsFrom(Number(found[0]), 0, 12),
    isWhole: true,
  }))
}

const lengths = '(?:day|night|morning|evening|week|weekend|month|year)s?'
const upTo = /^[\s,]*(?:to|until|till|through|thru|–|-)\s+(?:the\s+)?$/i
/** How a time is stretched by the word before it. "The week before Easter" is none of these, nor "she looks after May". */
const since = /\bsince\s+(?:the\s+)?$/i
const after = new RegExp(String.raw`(?<!\b(?:${lengths}|${verbsWithAfter})\s)\bafter\s+(?:the\s+)?$`, 'i')
const before = new RegExp(String.raw`(?<!\b(?:${lengths})\s)\b(?:before|prior to)\s+(?:the\s+)?$`, 'i')
/** "After 10 pm on 3 May" is that day. */
const clock = /\b\d{1,2}(?::\d{2})?\s*[ap]\.?m\b|\b\d{1,2}:\d{2}\b|\bo'clock\b|\bnoon\b|\bmidnight\b/i
const stretched = /^(?<word>since|after|before)\s/i

/**
 * Joins two times with "to" between them, and stretches one after "since", "after" or "before". Beside a time with its year, one
 * without is told from there: of "last Friday, as you said on 6 May 2023" only the second counts.
 */
export function joined(text: string, times: readonly TimeInText[], asked: AskedMoment): LocalRange[] {
  const found: TimeInText[] = []
  for (const time of times.toSorted((a, b) => a.start - b.start)) {
    const { start, end, range } = time
    const last = found.at(-1)
    if (last !== undefined && upTo.test(text.slice(last.end, start)) && range.to > last.range.from) {
      found.pop()
      const isWhole = last.isWhole || time.isWhole
      found.push({ start: last.start, end, range: { from: last.range.from, to: range.to }, isWhole })
    } else {
      const word = clock.test(text.slice(start, end)) ? '' : wordBefore(text, start)
      found.push({ ...time, range: stretch(range, word, asked) })
    }
  }
  const whole = found.filter(({ isWhole }) => isWhole)
  return (whole.length > 0 ? whole : found).map(({ range }) => range)
}

function wordBefore(text: string, start: number): string {
  // A rule may have taken the word in.
  const taken = stretched.exec(text.slice(start))?.groups?.['word']
  const said = text.slice(0, start)
  if (taken !== undefined) return taken.toLowerCase()
  return since.test(said) ? 'since' : after.test(said) ? 'after' : before.test(said) ? 'before' : ''
}

function stretch(range: LocalRange, word: string, asked: AskedMoment): LocalRange {
  if (word === 'before') return { from: firstTime, to: range.from }
  if (word === '' || range.from > asked.now) return range
  return untilNow(word === 'since' ? range.from : Math.min(range.to, asked.today), asked)
}
