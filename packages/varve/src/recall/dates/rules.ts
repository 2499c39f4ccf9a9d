import {
  type AskedMoment,
  type CalendarUnit,
  dayMs,
  daysFrom,
  lastWeekday,
  lastYearly,
  later,
  type LocalRange,
  monthsFrom,
  seasonOf,
  third,
  unitBefore,
  calendarUnits,
  untilNow,
} from './calendar.ts'
import { holidayOf } from './holidays.ts'
import type { TimeWord } from './time-words.ts'
import {
  aCount,
  countOf,
  fullWeekday,
  aHalf,
  aHoliday,
  aMonth,
  monthNumber,
  ordinalNumber,
  aPart,
  partNumber,
  aQuarter,
  aSeason,
  thenNoThing,
  aUnit,
  aVagueCount,
  aWeekday,
  weekdayNumber,
  aYear,
  verbsWithAfter,
} from './words.ts'

type Groups = Readonly<Record<string, string | undefined>>

/** A phrase, and its time. Of a phrase that tells none, later rules and the parser read nothing either. */
export interface DateRule {
  readonly pattern: RegExp
  readonly read: (groups: Groups, asked: AskedMoment) => LocalRange | undefined
}

function rule(pattern: string, read: DateRule['read']): DateRule {
  return { pattern: new RegExp(String.raw`(?<![\w$€£#.-])(?:${pattern})(?![\w%-]|\.\d)`, 'gi'), read }
}

const tellsNoTime = (pattern: string): DateRule => rule(pattern, () => undefined)

/** What comes or recurs is no memory. */
const noTimes: readonly DateRule[] = [
  tellsNoTime(
    `(?:next|coming|upcoming|following|every|each|any|per)(?: (?:other|few|${aCount}))? (?:${aUnit}s?|${aSeason}` +
      `|${aMonth}|${aWeekday}|${aHoliday})`,
  ),
  tellsNoTime(`(?:on )?(?:${fullWeekday}|weekend|weekday)s(?! (?:ago|back)\\b)`),
  tellsNoTime(
    `(?<!\\b(?:on|over|since|last|during|around) )(?:black|good|ash|cyber) ${fullWeekday}|(?:man|super|fat|palm|bloody) ${fullWeekday}`,
  ),
  // "Which is 1/2 of 3/4?" A day and a month stand after a word that asks when, or alone.
  tellsNoTime(String.raw`(?<!^|[(,:;]\s?|\b(?:on|since|from|to|until|till|before|after|by|of|about|for|dated|and) )\d{1,2}/\d{1,2}(?!/)`),
  tellsNoTime(`last an? ${aUnit}`),
  tellsNoTime(`in an? ${aUnit}`),
  tellsNoTime('the day (?:before|after)(?! (?:yesterday|tomorrow))|(?:last|previous|this) day'),
  // Of "the last week of August" the month is left.
  tellsNoTime(
    `(?:the )?(?:first|second|third|last)(?: ${aCount})? (?:day|week|weekend|month)s? (?:of` +
      `|in)(?= (?:the )?(?:${aMonth}|${aSeason}|${aYear})\\b)`,
  ),
  tellsNoTime('(?:on|at|over|during|around) holidays'),
]

const yearly = (of: (year: number) => LocalRange | undefined, said: string | undefined, asked: AskedMoment, isOver = false) =>
  said === undefined ? lastYearly(of, asked, { isOver }) : of(Number(said))

const seasons: readonly DateRule[] = [
  rule(`(?<name>${aSeason}|${aMonth}|${aHoliday}) before last`, ({ name = '' }, asked) =>
    lastYearly(named(name, asked), asked, { isOver: true, before: 1 }),
  ),
  rule(
    String.raw`(?<name>${aSeason})(?: of|,| in)? (?:the year )?(?<year>${aYear})(?:\s?[/–-]\s?\d{2,4})?`,
    ({ name = '', year: said }, asked) => seasonOf(name, Number(said), asked),
  ),
  rule(`(?:last|previous|this past|past) (?<name>${aSeason})`, ({ name = '' }, asked) =>
    lastYearly(named(name, asked), asked, { isOver: true }),
  ),
  rule(`this (?<name>${aSeason})`, ({ name = '' }, asked) => lastYearly(named(name, asked), asked)),
  rule(
    `(?:in|during|over|through|throughout|since|until|by|around) (?:(?:the|early|late` +
      `|mid)[ -])?(?<name>${aSeason})(?: term| semester)?${thenNoThing}`,
    ({ name = '' }, asked) => lastYearly(named(name, asked), asked),
  ),
]

function named(name: string, asked: AskedMoment): (year: number) => LocalRange | undefined {
  if (new RegExp(`^${aSeason}$`, 'i').test(name)) return (each) => seasonOf(name, each, asked)
  if (new RegExp(`^${aMonth}$`, 'i').test(name)) return (each) => monthsFrom(each, monthNumber(name))
  return (each) => holidayOf(name, each)
}

const holidays: readonly DateRule[] = [
  rule(`(?<name>${aHoliday})(?: of|,| in)? (?<year>${aYear})`, ({ name = '', year: said }) => holidayOf(name, Number(said))),
  rule(
    `(?:(?:at|on|over|during|around|since|until|before|after|this|(?<last>last)) (?:the )?|(?<=\\b(?:from|to) ))` +
      `(?<name>${aHoliday})${thenNoThing}`,
    ({ name = '', last }, asked) => lastYearly(named(name, asked), asked, { isOver: last !== undefined }),
  ),
  rule(`(?<=^\\s*)(?<name>${aHoliday})(?=\\s?[,:–-])`, ({ name = '' }, asked) => lastYearly(named(name, asked), asked)),
]

/** Months around a day so many years ago. People round, the more the longer it is ago. */
const roundedMonths = 3

function yearsAgo(years: number, asked: AskedMoment): LocalRange {
  const around = later(asked.today, -years, 'year')
  const near = { from: later(around, -roundedMonths, 'month'), to: later(around, roundedMonths, 'month') + dayMs }
  const whole = unitBefore('year', years, asked)
  return years === 1 ? near : { from: Math.min(near.from, whole.from), to: Math.max(near.to, whole.to) }
}

const years: readonly DateRule[] = [
  rule('(?:around )?this time last year', (_, asked) => yearsAgo(1, asked)),
  rule('(?:a|one) year ago (?:today|to the day)|(?:on )?this day last year', (_, asked) => daysFrom(later(asked.today, -1, 'year'))),
  rule(`earlier this (?<unit>${aUnit})`, ({ unit: name }, asked) => untilNow(unitBefore(unitOf(name), 0, asked).from, asked)),
  rule(
    `(?<part>${aPart})[ -](?:the |in )?(?<step>last|this|the)? ?(?<unit>year|month|quarter|week)`,
    ({ part: said = '', step, unit: name }, asked) => third(partNumber(said), unitBefore(unitOf(name), step === 'last' ? 1 : 0, asked)),
  ),
  rule(`(?<part>${aPart})[ -](?<year>${aYear})`, ({ part: said = '', year: name }) =>
    third(partNumber(said), monthsFrom(Number(name), 0, 12)),
  ),
  rule(`(?:the )?(?<half>${aHalf})(?: of| in|,)? (?:(?<year>${aYear})|(?:the|this) year)`, ({ half: said = '', year: name }, asked) =>
    monthsFrom(name === undefined ? asked.year : Number(name), 6 * ordinalNumber(said), 6),
  ),
  rule(`(?:the )?(?<decade>(?:19|20)\\d)0s`, ({ decade }) => monthsFrom(Number(decade) * 10, 0, 120)),
]

const quarters: readonly DateRule[] = [
  rule(`(?<year>${aYear}),? (?<quarter>q[1-4])`, ({ quarter: said = '', year: name }) =>
    monthsFrom(Number(name), 3 * ordinalNumber(said), 3),
  ),
  rule(
    `(?:the )?(?<quarter>${aQuarter})(?:,? (?:of |in )?(?:(?<year>${aYear})|(?:the|this) year)|${thenNoThing})`,
    ({ quarter: said = '', year: name }, asked) => yearly((each) => monthsFrom(each, 3 * ordinalNumber(said), 3), name, asked),
  ),
]

const months: readonly DateRule[] = [
  rule(`(?<part>${aPart})[ -](?<name>${aMonth})(?: of|,)? (?<year>${aYear})`, ({ part: said = '', name = '', year: ofYear }) =>
    third(partNumber(said), monthsFrom(Number(ofYear), monthNumber(name))),
  ),
  rule(`(?<step>last|previous|this past|past|this) (?<name>${aMonth})(?! \\d)${thenNoThing}`, ({ step, name = '' }, asked) =>
    lastYearly(named(name, asked), asked, { isOver: step?.toLowerCase() !== 'this' }),
  ),
]

/** A month whose year is not told, at the begin or the end of a longer time, is the last one that has begun. */
const openMonths: readonly DateRule[] = [
  rule(
    String.raw`(?<=\b(?:since|after|before|prior to) (?:the )?)(?:(?<date>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<of>${aMonth})` +
      String.raw`|(?<name>${aMonth}) (?<day>\d{1,2})(?:st|nd|rd|th)?)(?![/:]|,? (?:of )?${aYear})`,
    ({ date, of, name, day }, asked) => lastYearly((year) => dayIn(year, monthNumber(of ?? name ?? ''), Number(date ?? day)), asked),
  ),
  rule(
    String.raw`(?<=\b(?:since|after|before|prior to) )(?<!\b(?:${verbsWithAfter}|${aMonth}) (?:after|before) )` +
      String.raw`(?<name>${aMonth})(?! \d)${thenNoThing}`,
    ({ name = '' }, asked) => lastYearly(named(name, asked), asked),
  ),
]

function dayIn(year: number, month: number, date: number): LocalRange | undefined {
  const { from, to } = monthsFrom(year, month)
  const day = from + (date - 1) * dayMs
  return date >= 1 && day < to ? daysFrom(day) : undefined
}

const weekdays: readonly DateRule[] = [
  rule(`(?:the )?(?<day>${aWeekday}) (?:just )?(?:gone|past)`, ({ day = '' }, asked) => lastWeekday(weekdayNumber(day), asked)),
  rule(`(?<day>${aWeekday}),? (?:of |in )?(?<step>last|this) week`, inWeek),
  rule(`(?<step>last|this) week,? (?:on )?(?<day>${aWeekday})`, inWeek),
  rule(`(?:last|this past|past|previous) (?<day>${aWeekday})`, ({ day = '' }, asked) => lastWeekday(weekdayNumber(day), asked)),
  rule(`this (?<day>${aWeekday})`, ({ day = '' }, asked) => lastWeekday(weekdayNumber(day), asked, true)),
  rule(
    `(?<=\\b(?:on|since|from|to|until|till|of|and) )(?<day>${aWeekday})(?:'s|${thenNoThing}|(?= (?:morning` +
      `|afternoon|evening|night|last|we|in)\\b))`,
    ({ day = '' }, asked) => lastWeekday(weekdayNumber(day), asked),
  ),
  rule(
    `(?<!\\b(?:by|for|at|called|named) )(?<day>${fullWeekday})` +
      `(?:'s(?= \\w)| (?:morning|afternoon|evening|night)${thenNoThing}|(?=\\s*[.?!]?\\s*$))`,
    ({ day = '' }, asked) => lastWeekday(weekdayNumber(day), asked),
  ),
  rule(`(?:the )?(?<day>${fullWeekday}) before last`, ({ day = '' }, asked) => weekdayBefore(day, 1, asked)),
  rule(`(?<count>${aCount}) (?<day>${fullWeekday})s (?:ago|back)`, ({ day = '', count: said = '' }, asked) =>
    weekdayBefore(day, countOf(said) - 1, asked),
  ),
]

function weekdayBefore(day: string, weeks: number, asked: AskedMoment): LocalRange {
  return daysFrom(lastWeekday(weekdayNumber(day), asked).from - 7 * weeks * dayMs)
}

function inWeek({ day = '', step }: Groups, asked: AskedMoment): LocalRange {
  const { from } = unitBefore('week', step?.toLowerCase() === 'last' ? 1 : 0, asked)
  return daysFrom(from + weekdayNumber(day) * dayMs)
}

const spans: readonly DateRule[] = [
  rule(`(?:(?:over|during|within|in|for) )?(?:the |this )?(?:last|past) fortnight`, (_, asked) =>
    untilNow(later(asked.today, -2, 'week'), asked),
  ),
  rule(`(?<unit>${aUnit}) before last`, ({ unit: name }, asked) => unitBefore(unitOf(name), 2, asked)),
  rule(`(?:(?:over|during|within|in|for) the (?:last|past)|(?:the|this) past) (?<unit>week|month|year)`, ({ unit: name }, asked) =>
    untilNow(later(asked.today, -1, plainUnit(name)), asked),
  ),
  rule(
    `(?:last|past|previous) (?:(?<count>${aCount})|(?<vague>${aVagueCount})) (?<unit>day|week|month|year)s`,
    ({ unit: name, ...how }, asked) =>
      untilNow(later(asked.today, -(how['count'] === undefined ? most(how['vague']) : countOf(how['count'])), plainUnit(name)), asked),
  ),
  rule(`(?<step>last|previous|this) (?<unit>${aUnit})`, ({ step, unit: name }, asked) =>
    unitBefore(unitOf(name), step?.toLowerCase() === 'this' ? 0 : 1, asked),
  ),
  rule(`(?:at|on|over|during|in) the weekend`, (_, asked) => {
    const present = unitBefore('weekend', 0, asked)
    return present.from <= asked.now ? present : unitBefore('weekend', 1, asked)
  }),
  rule('the other (?<unit>day|night|evening|morning|week|month)', ({ unit: name = '' }, asked) => {
    if (name === 'week' || name === 'month') return { from: later(asked.today, -4, name), to: later(asked.today, -1, name) + dayMs }
    return { from: later(asked.today, -10, 'day'), to: asked.today }
  }),
]

const few = 6

function most(said = ''): number {
  return /couple/i.test(said) ? 2 : few
}

const ago: readonly DateRule[] = [
  rule('(?:a )?fortnight (?:ago|back)', (_, asked) => unitBefore('week', 2, asked)),
  rule(`(?<count>${aCount}) and a half (?<unit>year|month|week)s (?:ago|back)`, ({ count: said = '', unit: name }, asked) => {
    const [near, far] = [countOf(said), countOf(said) + 1].map((by) => later(asked.today, -by, plainUnit(name)))
    return near === undefined || far === undefined ? undefined : { from: far, to: near + dayMs }
  }),
  rule('half a year (?:ago|back)', (_, asked) => ({ from: later(asked.today, -8, 'month'), to: later(asked.today, -4, 'month') + dayMs })),
  rule(
    `(?:(?:about|around|roughly|some|almost|over|exactly) )?(?<count>${aCount}) (?<unit>${aUnit})s? (?:ago|back)`,
    ({ count: said = '', unit: name }, asked) =>
      name?.toLowerCase() === 'year' ? yearsAgo(countOf(said), asked) : unitBefore(unitOf(name), countOf(said), asked),
  ),
  rule(`(?<vague>${aVagueCount}) (?<unit>day|week|month|year)s (?:ago|back)`, ({ vague: said, unit: name }, asked) => {
    if (most(said) !== 2) return { from: later(asked.today, -few, plainUnit(name)), to: later(asked.today, -2, plainUnit(name)) + dayMs }
    const [far, near] =
      plainUnit(name) === 'year' ? [yearsAgo(3, asked), yearsAgo(2, asked)] : [3, 2].map((by) => unitBefore(unitOf(name), by, asked))
    return far === undefined || near === undefined ? undefined : { from: far.from, to: near.to }
  }),
  rule(
    `(?<=\\b(?:on|from|to|since|before|after) )the (?<date>\\d{1,2})(?:st|nd|rd|th)` +
      `(?: (?:day )?of (?<step>last|this) month)?(?! of)${thenNoThing}`,
    ({ date, step }, asked) => {
      const begun = [0, 1, 2].map((by) => dayOfMonth(Number(date), by, asked)).filter((found) => found !== undefined)
      if (step !== undefined) return dayOfMonth(Number(date), step.toLowerCase() === 'last' ? 1 : 0, asked)
      return begun.find(({ from }) => from <= asked.now)
    },
  ),
]

/** Gives a day of the month that lies so many months before the present one; undefined for 30 February. */
function dayOfMonth(date: number, before: number, asked: AskedMoment): LocalRange | undefined {
  return dayIn(asked.year, asked.month - before, date)
}

function unitOf(said = ''): CalendarUnit {
  return calendarUnits.find((each) => each === said.toLowerCase()) ?? 'day'
}

function plainUnit(said = ''): 'day' | 'week' | 'month' | 'year' {
  const found = unitOf(said)
  return found === 'quarter' || found === 'weekend' ? 'day' : found
}

/** Rules that find nothing in a text without one of these kinds of words. */
export interface RulesFor {
  readonly words: readonly TimeWord[]
  readonly rules: readonly DateRule[]
}

/** The phrases that the parser misreads, or does not read at all. The longer ones stand first. */
export const dateRules: readonly RulesFor[] = [
  { words: ['date', 'unit', 'season', 'month', 'weekday', 'holiday'], rules: noTimes },
  { words: ['season', 'month', 'holiday'], rules: seasons },
  { words: ['holiday'], rules: holidays },
  { words: ['figure', 'unit'], rules: years },
  { words: ['figure', 'unit'], rules: quarters },
  { words: ['month'], rules: [...months, ...openMonths] },
  { words: ['weekday'], rules: weekdays },
  { words: ['figure', 'unit'], rules: ago },
  { words: ['unit', 'near'], rules: spans },
]
