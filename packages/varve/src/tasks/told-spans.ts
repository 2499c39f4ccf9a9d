import { resolveWhen } from '../facts/when.ts'
import { isDateOf, withoutDates, writtenDates } from './written-dates.ts'

/** A time that the words of a message tell: UTC milliseconds, [from, to). */
export interface ToldSpan {
  readonly phrase: string
  readonly from: number
  readonly to: number
}

/** The part of a message that is read, in UTF-16 code units, and the most phrases of it. */
const longest = 20_000
const mostPhrases = 60

const counts = String.raw`\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple of`
const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const parts = 'week(?:end)?|month|year|spring|summer|autumn|fall|winter|night|morning|evening|afternoon'
const weekdays = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const phrases = new RegExp(
  String.raw`(?<![\p{L}\d])(?:` +
    [
      String.raw`(?:${counts}) (?:days?|weeks?|months?|years?) (?:ago|later|back|from now)`,
      String.raw`in (?:${counts}) (?:days?|weeks?|months?|years?)`,
      `(?:last|next|this|past|coming|previous) (?:${weekdays}|${months}|${parts})`,
      'yesterday|today|tonight|tomorrow|the day (?:before yesterday|after tomorrow)',
      String.raw`\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${months})(?:,? \d{4})?`,
      String.raw`(?:${months}) (?:the )?\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?`,
      String.raw`(?:${months})(?:,? \d{4})?`,
      String.raw`the \d{1,2}(?:st|nd|rd|th)`,
      weekdays,
    ].join('|') +
    String.raw`)(?![\p{L}\d])`,
  'giu',
)

/**
 * Reads the times that an English message tells, by its own moment in UTC. A phrase whose tense is open ("on Friday") may be
 * several times.
 */
export function toldSpans(text: string, at: number): ToldSpan[] {
  const found = new Set(Array.from(text.slice(0, longest).matchAll(phrases), ([phrase]) => phrase))
  return [...found].slice(0, mostPhrases).flatMap((phrase) =>
    (['past', 'present', 'future'] as const).flatMap((tense) => {
      const time = resolveWhen(phrase, { at, timeZone: 'UTC', tense })
      return time === undefined ? [] : { phrase, ...time }
    }),
  )
}

/** Finds the phrase of a message that tells a date: "last Monday" for "3 March 2025". A year may stand alone. */
export function phraseOf(date: string, text: string, at: number): string | undefined {
  const written = /^\d{4}$/.test(date.trim()) ? `in ${date.trim()}` : date
  const [only, ...others] = writtenDates(written)
  if (only === undefined || others.length > 0 || /[\p{L}\p{N}]/u.test(withoutDates(written, [only]).replace(around, ' '))) return undefined
  return toldSpans(text, at).find((span) => isDateOf(only, span))?.phrase
}

const around =
  /(?<!\p{L})(?:since|from|until|till|on|in|at|around|about|the|of|early|late|mid|spring|summer|autumn|fall|winter)(?!\p{L})/giu
