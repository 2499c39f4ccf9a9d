import { aHoliday, aMonth, aSeason, aUnit, aWeekday } from './words.ts'

/** A kind of words that tell a time. */
export type TimeWord = 'figure' | 'date' | 'unit' | 'season' | 'month' | 'weekday' | 'holiday' | 'near'

const aPartOfDay = '(?:second|minute|hour|morning|afternoon|evening|night)'

const word = (pattern: string): RegExp => new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`, 'i')

const patterns: Readonly<Record<TimeWord, RegExp>> = {
  figure: /\d/,
  date: /\d\s?[./-]\s?\d/,
  unit: word(`(?:${aUnit}|weekday|fortnight)s?`),
  season: word(`${aSeason}s?`),
  month: word(aMonth),
  weekday: word(`${aWeekday}s?`),
  holiday: word(aHoliday),
  near: word(String.raw`yesterday|today|tomorrow|tonight|ago|(?:last|past|previous|this|next|other) (?:\S+ ){0,3}${aPartOfDay}s?`),
}
const kinds: readonly TimeWord[] = ['figure', 'date', 'unit', 'season', 'month', 'weekday', 'holiday', 'near']

/**
 * Gives the kinds of words of an English text that tell a time. Without any it says none. A new process compiles
 * each pattern of the rules and the parser that it tries, which took a hook 30 ms: so only those are tried whose words are said.
 */
export function timeWordsIn(text: string): ReadonlySet<TimeWord> {
  return new Set(kinds.filter((kind) => patterns[kind].test(text)))
}
