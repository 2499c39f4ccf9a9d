import type { SourceMessage } from '../../models/writer.ts'
import { isInParentheses, isOpenTime, withoutQuotes } from './open-time.ts'
import { mayHoldPhrase } from './phrase-words.ts'
import { absolutePhrases, relativePhrases } from './phrases.ts'
import type { DatedPhrase, PhraseContext, ProjectCalendar, SaidPhrase } from './said-phrase.ts'
import { contextAround } from './tense.ts'

/** A message that a text rests on. */
export type SaidAt = Pick<SourceMessage, 'at' | 'text' | 'origin'>

/** A phrase in a text, with the sentence around it. */
export interface FoundPhrase extends Pick<SaidPhrase, 'groups'>, Pick<DatedPhrase, 'label'> {
  readonly words: string
  /** True for one that is reckoned from the day of its message, as "yesterday" is; false for a date without its year. */
  readonly isReckoned: boolean
  readonly context: PhraseContext
}

interface PlacedPhrase extends FoundPhrase {
  readonly start: number
  readonly end: number
}

const kindsOfPhrases = [
  { phrases: relativePhrases, isReckoned: true },
  { phrases: absolutePhrases, isReckoned: false },
]

/**
 * Puts a date behind each time that an English text reckons from the day of its message: "yesterday (6 May 2023)". Of several
 * messages the one counts whose words hold the phrase. A time that is vague, recurs or has its date already stays as it is.
 *
 * @example datedTimes('Ada: we met last week.', [message], calendar) // 'Ada: we met last week (week of 24 April 2023).'
 */
export function datedTimes(text: string, said: readonly SaidAt[], calendar: ProjectCalendar): string {
  if (said.length === 0) return text
  return phrasesDatedBy(text, ({ words, label, isReckoned, context, groups }) => {
    const holders = holdersOf(words, said)
    // An assistant or a tool drafts and plans: its "yesterday" is any day.
    if (isReckoned && holders.some(({ origin }) => origin !== 'person')) return undefined
    const [only, ...others] = new Set(holders.map(({ at }) => label({ ...calendar, ...context, groups, at })))
    return others.length === 0 ? only : undefined
  })
}

/** Puts a date behind each phrase that has none and gets one; the same date once. */
export function phrasesDatedBy(text: string, dateOf: (said: FoundPhrase) => string | undefined): string {
  if (!mayHoldPhrase.test(text)) return text
  const told = new Set<string>()
  let [dated, at] = ['', 0]
  for (const { start, end, ...said } of phrasesIn(text)) {
    const date = dateOf(said)
    if (date === undefined || told.has(date) || text.includes(`(${date})`)) continue
    told.add(date)
    dated += `${text.slice(at, end)}${isInParentheses(text, start) ? `, ${date}` : ` (${date})`}`
    at = end
  }
  return `${dated}${text.slice(at)}`
}

function phrasesIn(text: string): readonly PlacedPhrase[] {
  const found: PlacedPhrase[] = []
  let rest = withoutQuotes(text).replaceAll('’', "'")
  for (const { phrases, isReckoned } of kindsOfPhrases) {
    for (const { pattern, label } of phrases) {
      const whole = rest
      for (const { 0: words, index: start, groups = {} } of whole.matchAll(pattern)) {
        const end = start + words.length
        rest = `${rest.slice(0, start)}${' '.repeat(words.length)}${rest.slice(end)}`
        if (isOpenTime(text, start, end))
          found.push({ start, end, words, groups, label, isReckoned, context: contextAround(whole, start, end) })
      }
    }
  }
  return found.toSorted((a, b) => a.start - b.start)
}

/** Finds the messages whose words hold a phrase; all of them when a writer has worded it anew. */
function holdersOf(words: string, said: readonly SaidAt[]): readonly SaidAt[] {
  if (said.length < 2) return said
  const wanted = words.toLowerCase()
  const holders = said.filter(({ text }) => text.replaceAll('’', "'").toLowerCase().includes(wanted))
  return holders.length > 0 ? holders : said
}
