import { aHoliday, aMonth, aSeason, aUnit, aWeekday } from './words.ts'

/** A kind of words that tell a time. */
export type TimeWord = 'figure' | 'date' | 'clock' | 'unit' | 'season' | 'month' | 'weekday' | 'holiday' | 'near'

const aPartOfDay = '(?:morning|afternoon|evening|night)'
const aShortUnit = String.raw`(?:(?:second|sec|minute|min|hour|hr|mo|qtr|yr)s?|\d\s?[smhdwy])`
/** "Last night", "the past 24 hours". */
const aNearOne = String.raw`(?:last|past|previous|this|next|other) (?:\S+ ){0,3}\d*(?:${aPartOfDay}s?|${aShortUnit})`

/** A word between no other letters. Figures may touch it: "3weeks", "5may". */
const word = (pattern: string): RegExp => new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`, 'i')

const patterns: readonly (readonly [TimeWord, RegExp])[] = [
  ['figure', /\d/],
  ['date', /\d\s?[ ./-]\s?\d/],
  ['clock', word(String.raw`\d\s?[ap]\.?m|\d:\d\d|noon|midnight|${aPartOfDay}s?`)],
  ['unit', word(`(?:${aUnit}|weekday|fortnight)s?`)],
  ['season', word(`${aSeason}s?`)],
  ['month', word(aMonth)],
  ['weekday', word(`${aWeekday}s?`)],
  ['holiday', word(aHoliday)],
  ['near', word(`yesterday|today|tomorrow|tonight|ago|earlier|${aNearOne}`)],
]

/**
 * Gives the kinds of words of an English text that tell a time. A text without any tells none. A new process compiles each pattern of
 * the rules and the parser that it tries, which took a hook 30 ms: so only those are tried whose words are said.
 */
export function timeWordsIn(text: string): ReadonlySet<TimeWord> {
  return new Set(patterns.flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : [])))
}
