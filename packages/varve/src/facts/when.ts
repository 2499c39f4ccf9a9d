import type { Hemisphere } from '../projects/hemisphere.ts'
import { englishTime, withYear } from './when/english.ts'
import { namedTime } from './when/month-names.ts'
import { parsedTime } from './when/parsed.ts'
import { core, isReadTwoWays, readablePhrase } from './when/phrase.ts'
import { type SaidMoment, saidAt, type TimeSpan, type Tense, years } from './when/said.ts'

/** Languages (ISO 639-1) whose times are read, beside English. */
const languagesRead: ReadonlySet<string> = new Set(['de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'ru', 'uk', 'sv', 'zh'])

const between = /^(?:from |between |since )?(.+?) (?:to|until|till|and|through|-|–|—) (.+)$/

/**
 * Reads a time in words. Gives [from, to) in UTC milliseconds; undefined when the words do not tell it.
 *
 * The range is as long as its words. "In May" is the month; "last Friday" and "this morning" are a local day. "Last
 * week" and "two weeks ago" are a week from Monday to Monday. "Two months ago" is a month and "two years ago" a year of
 * the calendar; "at 3 pm" is an hour. "Since March" is March: it began within it.
 *
 * An unsaid year or week comes from the tense. In the past tense it is the last that has begun; in the future tense the
 * first that is not over. In the present tense a month has begun, a weekday is to come, and a day of a year is the
 * nearest. A weekday without more is never today. "Next Friday" is that of the next week. Seasons are those of the
 * hemisphere.
 *
 * It gives undefined for a phrase that is vague ("recently", "a few days ago"), recurs ("every Friday") or lasts ("for
 * two years"). It also does for one that lies beside another time ("before May"), reads as two dates (3/4), or
 * contradicts the tense.
 *
 * @example resolveWhen('in May', { at: Date.UTC(2026, 0, 10), timeZone: 'UTC', tense: 'past' }) // May 2025
 */
export function resolveWhen(
  phrase: string,
  said: {
    readonly at: number
    readonly timeZone: string
    readonly tense: Tense
    readonly language?: string
    readonly hemisphere?: Hemisphere
  },
): { from: number; to: number } | undefined {
  const text = readablePhrase(phrase)
  const moment = text === undefined ? undefined : saidAt(said)
  if (text === undefined || moment === undefined) return undefined
  const language = said.language?.slice(0, 2).toLowerCase() ?? 'en'
  const found = (languagesRead.has(language) ? otherTime(text, language, moment) : undefined) ?? englishPhrase(text, moment)
  return found === undefined || !isTold(found, moment) ? undefined : { from: found.from, to: found.to }
}

function otherTime(text: string, language: string, said: SaidMoment): TimeSpan | undefined {
  return namedTime(core(text), language, said) ?? parsedTime(text, language, said)
}

function englishPhrase(text: string, said: SaidMoment): TimeSpan | undefined {
  if (isReadTwoWays(text)) return undefined
  const [, first, last] = between.exec(text) ?? []
  return (
    ruledTime(text, said) ??
    (first === undefined || last === undefined ? undefined : both(ruledTime(first, said), ruledTime(last, said))) ??
    parsedTime(text.replace(/^between (.{1,40}?) and /, '$1 to '), 'en', said)
  )
}

function ruledTime(text: string, said: SaidMoment): TimeSpan | undefined {
  const time = withYear(core(text), said)
  return englishTime(time, said) ?? namedTime(time, 'en', said)
}

function both(first: TimeSpan | undefined, last: TimeSpan | undefined): TimeSpan | undefined {
  return first === undefined || last === undefined || last.to <= first.from || last.from < first.from
    ? undefined
    : { from: first.from, to: last.to }
}

/** Tells whether a time is within the years that people talk about, and not contrary to the tense. */
function isTold({ from, to }: TimeSpan, { at, tense }: SaidMoment): boolean {
  if (!(from < to) || from < Date.UTC(years.first, 0, 0) || to > Date.UTC(years.last + 1, 0, 2)) return false
  return tense === 'past' ? from <= at : tense === 'future' ? to > at : true
}
