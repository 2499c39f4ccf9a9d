import { dayOf, type SaidMoment, type TimeSpan, yearOf, years } from './said.ts'
import {
  dayOfMonth,
  month,
  season,
  seasons,
  someWeekend,
  type UnitStep,
  stepOf,
  stepWords,
  stretch,
  type TimeUnit,
  unit,
  units,
  weekday,
  weekdayInWeek,
} from './units.ts'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const anyWeekday = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?'
const anyMonth =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|' +
  'dec(?:ember)?)'
const step = `(?:the )?(?<step>${stepWords})`

const counts: Readonly<Record<string, number>> = {
  couple: 2,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
}

type Groups = Readonly<Record<string, string | undefined>>
interface Rule {
  readonly pattern: RegExp
  readonly read: (groups: Groups, said: SaidMoment) => TimeSpan | undefined
}

function rule(pattern: string, read: Rule['read']): Rule {
  return { pattern: new RegExp(`^(?:${pattern})$`), read }
}

/** Phrases that the parser misreads, or does not read at all. */
const rules: readonly Rule[] = [
  rule('(?:right |just )?now|today|currently|presently|nowadays|these days|moment|present|(?:right )?now on', (_, said) =>
    dayOf(said.today, said),
  ),
  rule(`${step} (?<unit>${units.join('|')})`, ({ unit: name = '', step: word }, said) =>
    isUnit(name) ? unit(name, stepIn(word), said) : undefined,
  ),
  rule('weekend', (_, said) => someWeekend(said)),
  rule(`(?:(?<step>${stepWords}) )?(?<day>${anyWeekday})`, ({ day, step: word }, said) => nearWeekday(numberOf(weekdays, day), word, said)),
  rule(`(?<day>${anyWeekday}),? (?:(?:of|in) )?${step} week`, ({ day, step: word }, said) =>
    weekdayInWeek(numberOf(weekdays, day), stepIn(word), said),
  ),
  rule(`${step} week,? (?:on )?(?<day>${anyWeekday})`, ({ day, step: word }, said) =>
    weekdayInWeek(numberOf(weekdays, day), stepIn(word), said),
  ),
  rule(`(?:(?<step>${stepWords}) )?(?<month>${anyMonth})`, ({ month: name, step: word }, said) =>
    month(numberOf(months, name), word === undefined ? undefined : stepIn(word), said),
  ),
  rule(`(?:(?<step>${stepWords}) )?(?<season>${seasons})(?:(?: of|,)? (?<year>\\d{4}))?`, ({ season: name = '', step: word, year }, said) =>
    season(name, { ...(word === undefined ? {} : { step: stepIn(word) }), ...(year === undefined ? {} : { year: Number(year) }) }, said),
  ),
  rule('(?<day>\\d{1,2})(?:st|nd|rd|th)(?: (?:day )?of (?:the month|(?<step>last|this|next) month))?', ({ day, step: word }, said) =>
    dayOfMonth(Number(day), word === undefined ? undefined : stepIn(word), said),
  ),
  rule(
    `(?:the )?(?<step>last|past|previous|next|coming) (?:(?<count>\\d{1,3}|${Object.keys(counts).join('|')})(?: of)?) ` +
      '(?<unit>days|weeks|months|years)',
    ({ count = '', unit: name = '', step: word }, said) => stretch(counts[count] ?? Number(count), name, stepIn(word), said),
  ),
  rule('(?<decade>\\d{3})0s', ({ decade }, said) => decadeOf(Number(decade) * 10, said)),
]

const inYear = new RegExp(
  `^(?:${step} year,? (?:(?:in|on) )?(?:the )?(?<after>.+)|(?<before>.+?),? (?:(?:of|in) )?(?:the )?(?<other>${stepWords}) year)$`,
)

/** Writes a relative year in figures: "March of last year" becomes March 2025. */
export function withYear(text: string, { today }: SaidMoment): string {
  const { step: first, after, before, other } = inYear.exec(text)?.groups ?? {}
  const rest = after ?? before
  return rest === undefined ? text : `${rest} ${today.year + stepIn(first ?? other)}`
}

/** Reads an English time. The phrase comes without the words around it. */
export function englishTime(text: string, said: SaidMoment): TimeSpan | undefined {
  for (const { pattern, read } of rules) {
    const found = pattern.exec(text)
    if (found !== null) return read(found.groups ?? {}, said)
  }
  return undefined
}

function stepIn(word: string | undefined): UnitStep {
  return stepOf(word ?? 'this')
}

/** Finds a weekday near a moment. "The coming Friday" is the first that comes. */
function nearWeekday(number: number, word: string | undefined, said: SaidMoment): TimeSpan | undefined {
  if (word === 'coming' || word === 'upcoming') return weekday(number, undefined, { ...said, tense: 'future' })
  return weekday(number, word === undefined ? undefined : stepIn(word), said)
}

function decadeOf(first: number, said: SaidMoment): TimeSpan | undefined {
  const [from, to] = [yearOf(first, said), yearOf(Math.min(first + 9, years.last), said)]
  return from === undefined || to === undefined ? undefined : { from: from.from, to: to.to }
}

function isUnit(name: string): name is TimeUnit {
  return units.some((each) => each === name)
}

/** Gives the number of a name, from 1; its first three letters decide. */
function numberOf(names: readonly string[], name = ''): number {
  return names.indexOf(name.slice(0, 3)) + 1
}
