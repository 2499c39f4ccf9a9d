import { holidayNames } from './holidays.ts'

/** Words of English times, as sources of patterns. */
export const aMonth =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
export const aSeason = '(?:spring|summer|autumn|fall|winter)'
export const fullWeekday = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
export const aWeekday = `(?:${fullWeekday}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)`
export const aHoliday = `(?:${holidayNames})`
export const aYear = String.raw`(?:19|20)\d\d`
export const aQuarter = '(?:q[1-4]|(?:first|second|third|fourth) quarter)'
export const aHalf = '(?:h[12]|(?:first|second) half)'
export const aUnit = '(?:day|week|weekend|month|quarter|year)'

/** "Early", "the middle of", "the end of". */
export const aPart = '(?:early(?: in)?|mid|middle|late(?: in)?|(?:the )?(?:very )?(?:start|beginning|middle|end) of)'

const counts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
export const aCount = String.raw`(?:\d{1,2}|an?|${counts.join('|')})`
export const aVagueCount = '(?:a )?(?:couple(?: of)?|few|several)'

/** After a word that is more than a time (fall, March, the 5th): what follows does not make it a thing. */
export const thenNoThing =
  String.raw`(?=\s*(?:[.,;:?!)]|$)|\s+(?:i|we|you|he|she|they|it|did|do|was|were|is|are|had|have|has|when|with|about|and|or|` +
  String.raw`what|which|who|whom|where|why|how|at|to|until|till|from|for|my|our|your|the)\b)`

/** Gives a number that is said in figures or in words. */
export function countOf(said: string): number {
  const place = counts.indexOf(said.toLowerCase())
  return place >= 0 ? place + 1 : /^an?$/i.test(said) ? 1 : Number(said)
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Gives the number of a month, 0 for January. */
export function monthNumber(said: string): number {
  return months.indexOf(said.slice(0, 3).toLowerCase())
}

/** Gives the number of a weekday, 0 for Monday. */
export function weekdayNumber(said: string): number {
  return weekdays.indexOf(said.slice(0, 3).toLowerCase())
}

/** Gives the third that "early", "mid" or "the end of" mean. */
export function partNumber(said: string): 0 | 1 | 2 {
  return /early|start|beginning/i.test(said) ? 0 : /mid/i.test(said) ? 1 : 2
}

/** Gives the place of a quarter or of a half, from 0. */
export function ordinalNumber(said: string): number {
  const figure = /[qh]([1-4])/i.exec(said)?.[1]
  return figure === undefined
    ? ['first', 'second', 'third', 'fourth'].findIndex((word) => said.toLowerCase().startsWith(word))
    : Number(figure) - 1
}

/** Verbs that "after" belongs to: "Grace looks after May" tells no time. */
export const verbsWithAfter = '(?:look(?:s|ed|ing)?|named|called|takes?|took|taken|taking|runs?|ran|running)'
