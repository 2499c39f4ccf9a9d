import { aSeason } from '../../recall/dates/words.ts'
import type { DatedUnit } from './date-label.ts'
import { nearDays } from './day-phrases.ts'
import { aStep, aWholeMonth, aWholeUnit } from './phrase-words.ts'
import {
  roughly,
  type DatedPhrase,
  dayOfSaying,
  directionOf,
  isSaidOnSunday,
  rangeLabel,
  wordsLabel,
  oneDayMs,
  phrase,
  type SaidPhrase,
  timeTold,
} from './said-phrase.ts'

/** A day of the week, from 1 for Monday. */
const saturday = 6

/** Phrases that hold shorter ones. */
export const longUnitPhrases: readonly DatedPhrase[] = [
  phrase(`the (?<unit>${aWholeUnit}) before last`, unitBeforeLast),
  phrase('this time (?<step>last|next) year', (said) =>
    wordsLabel(said.groups['step']?.toLowerCase() === 'last' ? '12 months ago' : 'in 12 months', 'month', said),
  ),
  phrase(
    `(?:(?:in|at|during) )?(?:the )?(?:(?:early|late|mid) )?(?<name>${aWholeMonth}|${aSeason}),? (?:of |in )?(?<step>last|next|this) year`,
    partOfYear,
  ),
  phrase(`(?<step>last|next|this) year,? in (?:the )?(?<name>${aWholeMonth}|${aSeason})`, partOfYear),
]

export const unitPhrases: readonly DatedPhrase[] = [
  phrase(`(?<step>${aStep}) weekend`, steppedWeekend),
  phrase(`(?<step>${aStep}) week`, steppedWeek),
  phrase(`(?<step>${aStep}) (?<unit>month|year)`, steppedUnit),
  phrase('(?:over|at|on) the weekend', (said) =>
    said.tense === undefined || dayOfSaying(said).dayOfWeek >= saturday
      ? undefined
      : rangeLabel(timeTold('weekend', said, said.tense), 'weekend', said),
  ),
]

export function calendarUnitIn(word: string): DatedUnit {
  const unit = word.toLowerCase()
  return unit === 'day' || unit === 'week' || unit === 'weekend' || unit === 'month' ? unit : 'year'
}

function unitBeforeLast(said: SaidPhrase): string | undefined {
  const unit = calendarUnitIn(said.groups['unit'] ?? '')
  if (unit !== 'weekend') return wordsLabel(`2 ${unit}s ago`, unit, said)
  return wordsLabel('last weekend', unit, { ...said, at: said.at - 7 * oneDayMs })
}

function partOfYear(said: SaidPhrase): string | undefined {
  const { name = '', step = '' } = said.groups
  const range = timeTold(`${name} ${step} year`, said)
  const isSeason = new RegExp(`^${aSeason}$`, 'i').test(name)
  return isSeason ? rangeLabel(range, 'season', said, name.toLowerCase()) : rangeLabel(range, 'month', said)
}

function steppedWeekend(said: SaidPhrase): string | undefined {
  const { step = '' } = said.groups
  const direction = directionOf(step)
  if (direction === 'this') return rangeLabel(timeTold('this weekend', said, said.tense), 'weekend', said)
  const coming = timeTold('this weekend', said, 'future')
  if (step.toLowerCase() === 'this coming') return rangeLabel(coming, 'weekend', said)
  const isPlain = direction === 'last' || (coming !== undefined && coming.from - said.at < nearDays * oneDayMs)
  return isPlain ? wordsLabel(`${direction} weekend`, 'weekend', said) : undefined
}

/** On a Sunday, "last week" was about seven days ago. */
function steppedWeek(said: SaidPhrase): string | undefined {
  const direction = directionOf(said.groups['step'])
  if (direction === 'next' || !isSaidOnSunday(said)) return steppedUnit({ ...said, groups: { ...said.groups, unit: 'week' } })
  if (direction === 'last') return roughly(wordsLabel('7 days ago', 'day', said))
  return said.tense === 'past' ? wordsLabel('this week', 'week', said) : undefined
}

function steppedUnit(said: SaidPhrase): string | undefined {
  const { step = '', unit = '' } = said.groups
  const direction = directionOf(step)
  // "This past year" is the time until now. "At the end of each week, plan the next": which one?
  const isNone = step.toLowerCase() === 'this past' || (direction === 'next' && said.isYearly)
  return isNone ? undefined : wordsLabel(`${direction} ${unit}`, calendarUnitIn(unit), said)
}
