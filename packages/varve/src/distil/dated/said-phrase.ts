import { Temporal } from 'temporal-polyfill'
import { resolveWhen } from '../../facts/when.ts'
import type { Tense, TimeSpan } from '../../facts/when/said.ts'
import type { Hemisphere } from '../../projects/hemisphere.ts'
import { dateLabel, type DatedUnit } from './date-label.ts'

/** The calendar of a project. */
export interface ProjectCalendar {
  readonly timeZone: string
  readonly hemisphere: Hemisphere
}

/** The sentence around a phrase. */
export interface PhraseContext {
  /** Undefined when no verb tells it. */
  readonly tense: Exclude<Tense, 'present'> | undefined
  /** True when it surely will be so: "in two days" after "wants to finish" is how long it takes. */
  readonly isSure: boolean
  /** True when it tells what recurs, or a birth: such a time belongs to no one year. */
  readonly isYearly: boolean
}

/** A phrase as it was said: its words by name, and its time. */
export interface SaidPhrase extends ProjectCalendar, PhraseContext {
  readonly groups: Readonly<Record<string, string | undefined>>
  readonly at: number
}

/** A pattern of phrases, and their date in a few words. Of a phrase that tells none, later patterns read nothing either. */
export interface DatedPhrase {
  readonly pattern: RegExp
  readonly label: (said: SaidPhrase) => string | undefined
}

export const oneDayMs = 86_400_000

/** Makes a pattern of whole words. What belongs to an address, a path, a price or a longer number is no time. */
export function phrase(pattern: string, label: DatedPhrase['label']): DatedPhrase {
  return { pattern: new RegExp(String.raw`(?<![\w$€£#.=_/@-]|\d,)(?:${pattern})(?:'s)?(?![\w_/@-]|\.\w|\()`, 'gi'), label }
}

export function undatedPhrase(pattern: string): DatedPhrase {
  return phrase(pattern, () => undefined)
}

/** Reads words by the reader that facts have. */
export function timeTold(words: string, { at, timeZone, hemisphere }: SaidPhrase, tense: Tense = 'present'): TimeSpan | undefined {
  return resolveWhen(words, { at, timeZone, hemisphere, tense })
}

export function rangeLabel(range: TimeSpan | undefined, unit: DatedUnit, { timeZone }: SaidPhrase, season?: string): string | undefined {
  return range === undefined ? undefined : dateLabel(range, unit, timeZone, season)
}

export function wordsLabel(words: string, unit: DatedUnit, said: SaidPhrase): string | undefined {
  return rangeLabel(timeTold(words, said), unit, said)
}

export function roughly(label: string | undefined): string | undefined {
  return label === undefined ? undefined : `about ${label}`
}

/** Gives the day on which it was said. */
export function dayOfSaying({ at, timeZone }: SaidPhrase): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
}

/** The direction in which a word points: "this past" is last, "this coming" is next. */
export function directionOf(step = ''): 'last' | 'this' | 'next' {
  const said = step.toLowerCase()
  return said === 'this past' || said === 'last' ? 'last' : said === 'this coming' || said === 'next' ? 'next' : 'this'
}

const sunday = 7

/** To some a Sunday ends its week, to others it begins one. */
export function isSaidOnSunday(said: SaidPhrase): boolean {
  return dayOfSaying(said).dayOfWeek === sunday
}
