import { fullWeekday } from '../../recall/dates/words.ts'
import { aSteppedDay, aStep, partOfDay, thenNoName } from './phrase-words.ts'
import { type DatedPhrase, directionOf, rangeLabel, wordsLabel, oneDayMs, phrase, type SaidPhrase, timeTold } from './said-phrase.ts'

/** So many days before a Friday, "next Friday" is that of the next week. Earlier in the week it may be either. */
export const nearDays = 2

const inWeek = ({ groups: { day = '', step = '' }, ...said }: SaidPhrase): string | undefined =>
  wordsLabel(`${day} ${step} week`, 'day', { ...said, groups: {} })

/** Phrases that hold shorter ones. */
export const longDayPhrases: readonly DatedPhrase[] = [
  phrase('the day before yesterday|the night before last', (said) => wordsLabel('the day before yesterday', 'day', said)),
  phrase('the day after tomorrow', (said) => wordsLabel('the day after tomorrow', 'day', said)),
  phrase(`(?<day>${fullWeekday})${partOfDay},? (?:of )?(?<step>last|next|this) week`, inWeek),
  phrase(`(?<step>last|next|this) week,? (?:on )?(?<day>${fullWeekday})${partOfDay}`, inWeek),
]

/** "Relevant today" is said of any day. */
const anyDay = '(?:even|not|still|of|from|relevant|important|popular|common|used|people|kids)'

export const dayPhrases: readonly DatedPhrase[] = [
  phrase(`yesterday${partOfDay}|last night`, (said) => wordsLabel('yesterday', 'day', said)),
  phrase(`tomorrow${partOfDay}`, (said) => wordsLabel('tomorrow', 'day', said)),
  phrase(String.raw`(?<!\b${anyDay} )today(?!'s)|tonight|this (?:morning|afternoon|evening)`, (said) => wordsLabel('today', 'day', said)),
  phrase(`(?<step>${aStep}) (?<day>${aSteppedDay})${partOfDay}`, steppedWeekday),
  phrase(String.raw`(?<=\bon )(?<day>${fullWeekday})${partOfDay}${thenNoName}`, (said) =>
    said.tense === undefined || said.isYearly ? undefined : rangeLabel(timeTold(said.groups['day'] ?? '', said, said.tense), 'day', said),
  ),
]

function steppedWeekday(said: SaidPhrase): string | undefined {
  const { step = '', day = '' } = said.groups
  const direction = directionOf(step)
  if (direction === 'this') return rangeLabel(timeTold(`this ${day}`, said, said.tense), 'day', said)
  const coming = timeTold(day, said, 'future')
  if (step.toLowerCase() === 'this coming') return rangeLabel(coming, 'day', said)
  const found = timeTold(`${direction} ${day}`, said)
  if (found === undefined || coming === undefined) return undefined
  // Who speaks of the day before says yesterday.
  const isPlain =
    direction === 'last' ? said.at - found.to >= oneDayMs : found.from === coming.from || coming.from - said.at < nearDays * oneDayMs
  return isPlain ? rangeLabel(found, 'day', said) : undefined
}
