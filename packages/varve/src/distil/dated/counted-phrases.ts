import { countOf } from '../../recall/dates/words.ts'
import { aCountedUnit, aNumber } from './phrase-words.ts'
import { roughly, type DatedPhrase, isSaidOnSunday, wordsLabel, phrase, type SaidPhrase } from './said-phrase.ts'
import { calendarUnitIn } from './unit-phrases.ts'

/** From so many years on, people round. */
const roundYears = 10
/** "Two or three years ago", "ten to twelve days ago". */
const alone = String.raw`(?<!\b(?:or|to|every|each|(?:years?|months?|weeks?) and) |[–-] ?)`

export const countedPhrases: readonly DatedPhrase[] = [
  phrase(`${alone}(?<count>${aNumber}) (?<unit>${aCountedUnit}) (?:ago|(?<from>from now))`, countedAway),
  phrase(`(?<from>in) (?<count>${aNumber}) (?<unit>${aCountedUnit})(?:'? time)?(?! from)`, (said) =>
    said.isSure && !said.isYearly ? countedAway(said) : undefined,
  ),
]

function countedAway(said: SaidPhrase): string | undefined {
  const { count = '', unit: named = '', from } = said.groups
  const unit = calendarUnitIn(named.replace(/s$/i, ''))
  const isCouple = /couple/i.test(count)
  const number = isCouple ? 2 : countOf(count)
  const away = (many: number, units: string): string => (from === undefined ? `${many} ${units} ago` : `in ${many} ${units}`)
  if (unit === 'week' && isSaidOnSunday(said)) return roughly(wordsLabel(away(7 * number, 'days'), 'day', said))
  const label = wordsLabel(away(number, `${unit}s`), unit, said)
  return isCouple || (unit === 'year' && number >= roundYears) ? roughly(label) : label
}
