import { expect, test } from 'vitest'
import { openingKind } from '../../packages/varve/src/context/opening-question.ts'
import { type AskedDates, askedDates, type YearlyDate } from '../../packages/varve/src/recall/asked-dates.ts'
import * as dates from '../fixtures/dates/written-apart.ts'
import * as openings from '../fixtures/openings/written-apart.ts'

const dayMs = 86_400_000

/** How long a time lasts, by the length of what is written: a day, an hour, a minute. */
const lasting: Readonly<Record<number, number>> = { 10: dayMs, 13: 3_600_000, 16: 60_000 }

const begin = (time: string): number => Date.parse(`${time}${'T00:00'.slice(time.length - 10)}Z`)
const end = (time: string): number => begin(time) + (lasting[time.length] ?? 0)

function read(question: string, on: string): AskedDates {
  return askedDates(question, ['en'], { now: Date.parse(`${on}T12:00Z`), timeZone: 'UTC', hemisphere: 'north' })
}

function found({ on, question, within, bounds }: dates.DatedQuestion): boolean {
  const { ranges, yearly } = read(question, on)
  const [from, to, earliest, latest] = [begin(within[0]), end(within[1]), begin(bounds[0]), end(bounds[1])]
  if (ranges.length === 0) return isYearly(yearly, from, to, earliest, latest)
  return (
    ranges.some((range) => range.from <= from && range.to >= to) && ranges.every((range) => range.from >= earliest && range.to <= latest)
  )
}

/** Days of any year tell a time when all of its days are among them, and none lies outside. */
function isYearly(yearly: readonly YearlyDate[], from: number, to: number, earliest: number, latest: number): boolean {
  if (yearly.length === 0 || to - from > 366 * dayMs) return false
  const isSaid = (day: Date): boolean =>
    yearly.some((date) => date.month === day.getUTCMonth() && (date.day === undefined || date.day === day.getUTCDate()))
  const bounded = daysFrom(earliest, latest)
  return daysFrom(from, to).every(isSaid) && yearly.every((date) => bounded.filter((day) => isOf(day, date)).length >= daysOf(date))
}

const isOf = (day: Date, { month, day: date }: YearlyDate): boolean =>
  day.getUTCMonth() === month && (date === undefined || day.getUTCDate() === date)

const daysOf = ({ month, day }: YearlyDate): number => (day === undefined ? new Date(Date.UTC(2025, month + 1, 0)).getUTCDate() : 1)

function daysFrom(from: number, to: number): Date[] {
  return Array.from({ length: Math.ceil((to - from) / dayMs) }, (_, place) => new Date(from + place * dayMs))
}

const isTrap = (question: string): boolean => {
  const { ranges, yearly } = read(question, '2026-05-13')
  return ranges.length + yearly.length === 0
}
const opens = (phrase: string): boolean => openingKind(phrase) !== undefined
const asks = (phrase: string): boolean => !opens(phrase)
const count = <T>(all: readonly T[], isRight: (one: T) => boolean): number => all.filter(isRight).length

test('questions that were written apart are read as before, or better', () => {
  expect(dates.MENDING_DATES).toHaveLength(60)
  expect(count(dates.MENDING_DATES, found)).toBeGreaterThanOrEqual(56)
  expect(count(dates.MENDING_DATE_TRAPS, isTrap)).toBeGreaterThanOrEqual(39)
  expect(openings.MENDING_OPENINGS.filter(asks)).toEqual([])
  expect(openings.MENDING_OPENING_LOOK_ALIKES.filter(opens)).toEqual([])
})

// At first look: 33, 33, 29 and 60. Only counts are compared, so that nobody mends by them.
test('the half that no rule was mended by is read as well', () => {
  expect(dates.REPORTING_DATES).toHaveLength(60)
  expect(count(dates.REPORTING_DATES, found)).toBeGreaterThanOrEqual(44)
  expect(count(dates.REPORTING_DATE_TRAPS, isTrap)).toBeGreaterThanOrEqual(35)
  expect(count(openings.REPORTING_OPENINGS, opens)).toBeGreaterThanOrEqual(49)
  expect(count(openings.REPORTING_OPENING_LOOK_ALIKES, asks)).toBeGreaterThanOrEqual(60)
})
