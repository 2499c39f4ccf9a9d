import type { SourceMessage } from '../../models/writer.ts'
import { isInParentheses, isOpenTime, withoutQuotes } from './open-time.ts'
import { mayHoldPhrase } from './phrase-words.ts'
import { absolutePhrases, relativePhrases } from './phrases.ts'
import type { DatedPhrase, ProjectCalendar } from './said-phrase.ts'
import { contextAround } from './tense.ts'

/** A message that a text rests on. */
export type SaidAt = Pick<SourceMessage, 'at' | 'text' | 'origin'>

interface FoundPhrase {
  readonly start: number
  readonly end: number
  readonly label: string
}

/**
 * Puts a date behind each time that an English text reckons from the day of its message: "yesterday (6 May 2023)". Of several
 * messages the one counts whose words hold the phrase. A time that is vague, recurs or has its date already stays as it is.
 *
 * @example datedTimes('Ada: we met last week.', [message], calendar) // 'Ada: we met last week (week of 24 April 2023).'
 */
export function datedTimes(text: string, said: readonly SaidAt[], calendar: ProjectCalendar): string {
  if (said.length === 0 || !mayHoldPhrase.test(text)) return text
  const told = new Set<string>()
  let [dated, at] = ['', 0]
  for (const { start, end, label } of phrasesIn(text, said, calendar)) {
    if (told.has(label) || text.includes(`(${label})`)) continue
    told.add(label)
    dated += `${text.slice(at, end)}${isInParentheses(text, start) ? `, ${label}` : ` (${label})`}`
    at = end
  }
  return `${dated}${text.slice(at)}`
}

function phrasesIn(text: string, said: readonly SaidAt[], calendar: ProjectCalendar): readonly FoundPhrase[] {
  const found: FoundPhrase[] = []
  let rest = withoutQuotes(text).replaceAll('’', "'")
  const find = ({ pattern, label }: DatedPhrase, personsOnly: boolean): void => {
    const whole = rest
    for (const { 0: words, index: start, groups = {} } of whole.matchAll(pattern)) {
      const end = start + words.length
      rest = `${rest.slice(0, start)}${' '.repeat(words.length)}${rest.slice(end)}`
      if (!isOpenTime(text, start, end)) continue
      const holders = holdersOf(words, said)
      if (personsOnly && holders.some(({ origin }) => origin !== 'person')) continue
      const context = contextAround(whole, start, end)
      const [only, ...others] = new Set(holders.map(({ at }) => label({ ...calendar, ...context, groups, at })))
      if (only !== undefined && others.length === 0) found.push({ start, end, label: only })
    }
  }
  // An assistant or a tool drafts and plans: its "yesterday" is any day.
  for (const one of relativePhrases) find(one, true)
  for (const one of absolutePhrases) find(one, false)
  return found.toSorted((a, b) => a.start - b.start)
}

/** Finds the messages whose words hold a phrase; all of them when a writer has worded it anew. */
function holdersOf(words: string, said: readonly SaidAt[]): readonly SaidAt[] {
  if (said.length < 2) return said
  const wanted = words.toLowerCase()
  const holders = said.filter(({ text }) => text.replaceAll('’', "'").toLowerCase().includes(wanted))
  return holders.length > 0 ? holders : said
}
