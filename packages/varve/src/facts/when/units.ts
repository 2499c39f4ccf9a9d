import {
  dateOf,
  dayOf,
  everyWeek,
  everyYear,
  meant,
  mondayOf,
  monthOf,
  type SaidMoment,
  type TimeSpan,
  span,
  weekOf,
  yearOf,
} from './said.ts'

/** last -1, this 0, next 1. */
export type UnitStep = -1 | 0 | 1

export const stepWords = 'last|past|previous|this|current|next|coming|upcoming|following'

export function stepOf(word: string): UnitStep {
  return /^(?:last|past|previous)$/.test(word) ? -1 : /^(?:this|current)$/.test(word) ? 0 : 1
}

export const units = ['day', 'week', 'weekend', 'month', 'quarter', 'year'] as const
export type TimeUnit = (typeof units)[number]

/** Reads "last week", "this month", "next year": whole units of the calendar. The next weekend is that of the next week. */
export function unit(name: TimeUnit, step: UnitStep, said: SaidMoment): TimeSpan | undefined {
  const { today } = said
  switch (name) {
    case 'day':
      return dayOf(today.add({ days: step }), said)
    case 'week':
      return weekOf(today.add({ weeks: step }), said)
    case 'month':
      return monthOf(today.add({ months: step }), said)
    case 'year':
      return yearOf(today.year + step, said)
    case 'quarter':
      return quarter(step, said)
    case 'weekend':
      return weekend(step, said)
  }
}

function quarter(step: UnitStep, said: SaidMoment): TimeSpan {
  const { today } = said
  const from = today.with({ day: 1, month: 3 * Math.floor((today.month - 1) / 3) + 1 }).add({ months: 3 * step })
  return span(from, from.add({ months: 3 }), said)
}

/** Gives a weekend, Saturday to Monday. */
function weekend(step: UnitStep, said: SaidMoment): TimeSpan | undefined {
  const all = everyWeek(6, said, 2)
  if (step === 0) return meant(all, said, 'coming')
  return step === -1 ? all.findLast(({ to }) => to <= said.at) : all[3]
}

export function someWeekend(said: SaidMoment): TimeSpan | undefined {
  return weekend(0, said)
}

/** Reads a weekday. "Last Friday" is the one before today, "next Friday" that of the next week; "this Friday" may be today. */
export function weekday(number: number, step: UnitStep | undefined, said: SaidMoment): TimeSpan | undefined {
  const all = everyWeek(number, said)
  if (step === -1) return all.findLast(({ to }) => to <= said.at)
  return step === 1 ? all[3] : meant(all, said, 'coming', step === 0)
}

/** Reads a weekday of the last, this or the next week. */
export function weekdayInWeek(number: number, step: UnitStep, said: SaidMoment): TimeSpan {
  return dayOf(mondayOf(said.today).add({ days: 7 * step + number - 1 }), said)
}

export function month(number: number, step: UnitStep | undefined, said: SaidMoment): TimeSpan | undefined {
  return yearly(step, said, (year) => {
    const first = dateOf(year, number, 1)
    return first === undefined ? undefined : monthOf(first, said)
  })
}

export const seasons = 'spring|summer|autumn|fall|winter'
/** In the north. */
const firstMonths: Readonly<Record<string, number>> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }

/**
 * Reads a season of the hemisphere, from the first of a month (in the north, spring: 1 March). One that lasts over New Year is
 * named after the year in which it begins.
 */
export function season(
  name: string,
  { step, year }: { readonly step?: UnitStep; readonly year?: number },
  said: SaidMoment,
): TimeSpan | undefined {
  const first = firstMonths[name] ?? 0
  const of = (each: number): TimeSpan | undefined => {
    const from = dateOf(each, said.hemisphere === 'north' ? first : ((first + 5) % 12) + 1, 1)
    return from === undefined ? undefined : span(from, from.add({ months: 3 }), said)
  }
  return year === undefined ? yearly(step, said, of) : of(year)
}

/** Chooses among yearly times. "Last May" is over; "next May" has not begun. */
function yearly(step: UnitStep | undefined, said: SaidMoment, of: (year: number) => TimeSpan | undefined): TimeSpan | undefined {
  const all = everyYear(said, of)
  if (step === -1) return all.findLast(({ to }) => to <= said.at)
  return step === 1 ? all.find(({ from }) => from > said.at) : meant(all, said, 'begun')
}

/** Reads "the 5th" of the months around, or of the last, this or the next month. */
export function dayOfMonth(day: number, step: UnitStep | undefined, said: SaidMoment): TimeSpan | undefined {
  const months = step === undefined ? [-2, -1, 0, 1, 2] : [step]
  const days = months.flatMap((by) => {
    const { year, month: number } = said.today.with({ day: 1 }).add({ months: by })
    const date = dateOf(year, number, day)
    return date === undefined ? [] : [dayOf(date, said)]
  })
  return step === undefined ? meant(days, said, 'nearest') : days[0]
}

/** Reads "the last three weeks" (from that long ago until now) and "the next three" (from today). */
export function stretch(count: number, name: string, step: UnitStep, said: SaidMoment): TimeSpan | undefined {
  const { today, tense } = said
  if (tense === (step === -1 ? 'future' : 'past')) return undefined
  const far = today.add({ [name]: count * (step === -1 ? -1 : 1) })
  return step === -1 ? span(far, today.add({ days: 1 }), said) : span(today, far.add({ days: 1 }), said)
}
