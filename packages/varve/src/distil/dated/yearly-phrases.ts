import { holidayOf } from '../../recall/dates/holidays.ts'
import { aHoliday, aSeason } from '../../recall/dates/words.ts'
import { aStep, aWholeMonth, thenNoName } from './phrase-words.ts'
import {
  type DatedPhrase,
  dayOfSaying,
  directionOf,
  rangeLabel,
  wordsLabel,
  oneDayMs,
  phrase,
  type SaidPhrase,
  timeTold,
  undatedPhrase,
} from './said-phrase.ts'

/** Around a holiday, the last and the next may be either. */
const aroundHolidayMs = 30 * oneDayMs
/** A month or a day without its year is the nearest one only when it is nearer than this. */
const nearestMs = 9 * 30 * oneDayMs

export const seasonPhrases: readonly DatedPhrase[] = [
  phrase(`(?<step>${aStep}) (?<season>${aSeason})`, steppedSeason),
  phrase(String.raw`(?<step>${aStep}) (?<month>${aWholeMonth})(?! \d)`, (said) => {
    const { step = '', month = '' } = said.groups
    const direction = directionOf(step)
    return wordsLabel(direction === 'this' ? `${month} ${dayOfSaying(said).year}` : `${direction} ${month}`, 'month', said)
  }),
  phrase(`(?<step>last|next|this) (?<holiday>${aHoliday})`, steppedHoliday),
]

function steppedSeason(said: SaidPhrase): string | undefined {
  const { step = '', season = '' } = said.groups
  const direction = directionOf(step)
  const name = season.toLowerCase()
  if (direction !== 'this') return rangeLabel(timeTold(`${direction} ${name}`, said), 'season', said, name)
  const { year } = dayOfSaying(said)
  const [before, own] = [year - 1, year].map((each) => timeTold(`${name} ${each}`, said))
  // A winter that lasts over New Year, or was just over.
  const isBefore = before !== undefined && (said.at < before.to || (said.tense === 'past' && own !== undefined && said.at < own.from))
  return rangeLabel(isBefore ? before : own, 'season', said, name)
}

/** A holiday's day is known: its year is enough. */
function steppedHoliday(said: SaidPhrase): string | undefined {
  const { step, holiday = '' } = said.groups
  const { year } = dayOfSaying(said)
  const days = [year - 1, year, year + 1].map((each) => holidayOf(holiday, each)?.from ?? 0)
  if (days.some((day) => Math.abs(day - said.at) < aroundHolidayMs)) return undefined
  const direction = directionOf(step)
  if (direction === 'this') return String(year)
  return String(year - 1 + (direction === 'last' ? days.findLastIndex((day) => day < said.at) : days.findIndex((day) => day > said.at)))
}

const ordinal = '(?:st|nd|rd|th)?'
const aDay = String.raw`(?:\d{1,2}${ordinal}(?: of)? ${aWholeMonth}|${aWholeMonth} \d{1,2}${ordinal})`

/** Months and days without a year get the year of the nearest. */
export const yearlessPhrases: readonly DatedPhrase[] = [
  undatedPhrase(String.raw`(?:from )?(?:${aWholeMonth}|\d{1,2}) ?(?:to|-|–|until|till|and) ?(?:\d{1,2} )?${aWholeMonth}`),
  phrase(
    String.raw`(?<=\b(?<before>on|since|by|until|till|from|before|after) (?:the )?)(?<when>${aDay})` +
      String.raw`(?! ?[-–:/]|,? (?:of )?\d|,? (?:to|until) )`,
    nearestYear,
  ),
  phrase(
    String.raw`(?<=\b(?<before>in|since|by|until|till) (?:(?:early|late|mid)[ -])?)(?<when>${aWholeMonth})(?! \d)${thenNoName}`,
    nearestYear,
  ),
]

function nearestYear(said: SaidPhrase): string | undefined {
  const { before = '', when = '' } = said.groups
  const tense = before.toLowerCase() === 'since' ? 'past' : said.tense
  if (said.isYearly || tense === undefined) return undefined
  const found = timeTold(when, said, tense)
  if (found === undefined || (tense === 'past' ? said.at - found.to : found.from - said.at) > nearestMs) return undefined
  return rangeLabel(found, 'year', said)
}
