import { aSeason, fullWeekday } from '../../recall/dates/words.ts'
import { countedPhrases } from './counted-phrases.ts'
import { dayPhrases, longDayPhrases } from './day-phrases.ts'
import { aWholeMonth, aWholeUnit } from './phrase-words.ts'
import { type DatedPhrase, undatedPhrase } from './said-phrase.ts'
import { longUnitPhrases, unitPhrases } from './unit-phrases.ts'
import { seasonPhrases, yearlessPhrases } from './yearly-phrases.ts'

/** Words like those of a time that tell none, or one beside another time. */
const noTimes: readonly DatedPhrase[] = [
  // "The next day", "my last year of school". "I told her last week" tells one.
  undatedPhrase(
    `(?:the|every|every other|each|any|another|per|that|my|your|his|our|their|its) (?:last|next|past|following|previous)` +
      `(?: (?:${aWholeUnit}|${fullWeekday}|${aSeason}))?`,
  ),
  undatedPhrase(`(?:last|next|this) (?:${aWholeUnit}|${fullWeekday}|${aWholeMonth})s? of`),
  undatedPhrase(String.raw`(?:feels?|felt|seems?|seemed|like|as if) (?:\w+ ){0,3}yesterday`),
  // "A week from Friday", "two years ago this week".
  undatedPhrase(
    String.raw`\S{1,20} ${aWholeUnit}s? (?:ago|from) (?:on |this |last |next )?(?:today|yesterday|tomorrow|${aWholeUnit}|${fullWeekday})`,
  ),
]

/** A phrase that holds a shorter one stands before it. */
export const relativePhrases: readonly DatedPhrase[] = [
  ...longDayPhrases,
  ...longUnitPhrases,
  ...noTimes,
  ...dayPhrases,
  ...unitPhrases,
  ...seasonPhrases,
  ...countedPhrases,
]

/** Dates of a calendar, without a year. */
export const absolutePhrases: readonly DatedPhrase[] = yearlessPhrases
