import type { Hemisphere } from '../../projects/hemisphere.ts'

/** [from, to) of the local calendar: milliseconds as if the zone were UTC. */
export interface LocalRange {
  readonly from: number
  readonly to: number
}

/** The moment at which a question is asked, by the local calendar. */
export interface AskedMoment {
  readonly now: number
  /** Its midnight. */
  readonly today: number
  readonly year: number
  /** 0 for January. */
  readonly month: number
  readonly hemisphere: Hemisphere
}

export const dayMs = 86_400_000

export function askedMoment(now: number, hemisphere: Hemisphere): AskedMoment {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { now, today: Date.UTC(year, month, date.getUTCDate()), year, month, hemisphere }
}

export const calendarUnits = ['day', 'week', 'weekend', 'month', 'quarter', 'year'] as const
export type CalendarUnit = (typeof calendarUnits)[number]

/** Gives some whole months, from one of a year on. Months before January are those of the year before. */
export function monthsFrom(year: number, month: number, count = 1): LocalRange {
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + count) }
}

export function daysFrom(first: number, count = 1): LocalRange {
  return { from: first, to: first + count * dayMs }
}

/** Gives the day so many units later: of a shorter month the last one. */
export function later(day: number, count: number, unit: 'day' | 'week' | 'month' | 'year'): number {
  if (unit === 'day' || unit === 'week') return day + count * dayMs * (unit === 'day' ? 1 : 7)
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count * (unit === 'month' ? 1 : 12)]
  return Math.min(Date.UTC(year, month, date.getUTCDate()), Date.UTC(year, month + 1) - dayMs)
}

/** Gives the Monday of a week. */
function mondayOf(day: number): number {
  return day - ((new Date(day).getUTCDay() + 6) % 7) * dayMs
}

/** Gives the unit of the calendar that lies so many before the present one. */
export function unitBefore(unit: CalendarUnit, count: number, { today, year, month }: AskedMoment): LocalRange {
  switch (unit) {
    case 'day':
      return daysFrom(today - count * dayMs)
    case 'week':
      return daysFrom(mondayOf(today) - count * 7 * dayMs, 7)
    case 'weekend':
      return daysFrom(mondayOf(today) - (count * 7 - 5) * dayMs, 2)
    case 'month':
      return monthsFrom(year, month - count)
    case 'quarter':
      return monthsFrom(year, 3 * (Math.floor(month / 3) - count), 3)
    case 'year':
      return monthsFrom(year - count, 0, 12)
  }
}

/** The first month of each season in the north. */
const firstMonths: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }

/** Gives a season, from the first of a month on. One that lasts over New Year is named after the year in which it begins. */
export function seasonOf(name: string, year: number, { hemisphere }: AskedMoment): LocalRange {
  const first = firstMonths[name.toLowerCase()] ?? 0
  return monthsFrom(year, hemisphere === 'north' ? first : (first + 6) % 12, 3)
}

/** Gives the last of the yearly times that has begun; `isOver`: that is over. `before` skips some. */
export function lastYearly(
  of: (year: number) => LocalRange | undefined,
  { now, year }: AskedMoment,
  { isOver = false, before = 0 }: { readonly isOver?: boolean; readonly before?: number } = {},
): LocalRange | undefined {
  const all = [year + 1, year, year - 1, year - 2, year - 3].flatMap((each) => of(each) ?? [])
  return all.filter(({ from, to }) => (isOver ? to <= now : from <= now))[before]
}

/** Gives a weekday (0 for Monday) of the days before today, or of the seven that end today. */
export function lastWeekday(weekday: number, { today }: AskedMoment, mayBeToday = false): LocalRange {
  const past = (((new Date(today).getUTCDay() + 6 - weekday) % 7) + 7) % 7
  return daysFrom(today - (past === 0 && !mayBeToday ? 7 : past) * dayMs)
}

/** The days of a week at which its begin and its middle are over: Monday and Tuesday, then Wednesday and Thursday. */
const weekParts = [0, 2, 4, 7] as const

/** Gives the begin, the middle or the end of a week, a month or a range of months: of these a third. */
export function third(part: 0 | 1 | 2, { from, to }: LocalRange): LocalRange {
  const [first, last] = [new Date(from), new Date(to)]
  const months = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth()
  const cut = (place: number): number => {
    if (place === 0 || place === 3) return place === 0 ? from : to
    if (to - from === 7 * dayMs) return from + (weekParts[place] ?? 0) * dayMs
    return months > 2 ? Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + (months / 3) * place) : from + place * 10 * dayMs
  }
  return { from: cut(part), to: cut(part + 1) }
}

/** Gives the time until now, today included. */
export function untilNow(from: number, { today }: AskedMoment): LocalRange {
  return { from, to: Math.max(from, today) + dayMs }
}
