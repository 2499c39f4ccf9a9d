import { expect, test } from 'vitest'
import { askedDates } from '../asked-dates.ts'
import type { AskedCalendar } from '../calendar.ts'
import { askedAt, datedQuestions, datelessQuestions, monthQuestions, placedQuestions } from './asked-dates.sentences.ts'

const calendar: AskedCalendar = { now: askedAt, timeZone: 'UTC', hemisphere: 'north' }

function times(question: string, more: Partial<AskedCalendar> = {}) {
  const { ranges, yearly } = askedDates(question, ['en'], { ...calendar, ...more })
  return {
    ranges: ranges.map(({ from, to }) => [from, to].map((at) => new Date(at).toISOString())),
    months: yearly.map(({ month }) => month),
  }
}

const iso = (time: string): string => new Date(time).toISOString()

test.each(Object.entries(datedQuestions))('%s: each question is read as the time that it means', (_, questions) => {
  for (const [question, from, to] of questions)
    expect({ question, ...times(question) }).toEqual({ question, ranges: [[iso(from), iso(to)]], months: [] })
})

test('seasons are those of the hemisphere, and days those of the time zone', () => {
  for (const [question, from, to, more] of placedQuestions)
    expect({ question, ...times(question, more) }).toEqual({ question, ranges: [[iso(from), iso(to)]], months: [] })
})

test('a month without a year is that month of any year', () => {
  for (const [question, ...months] of monthQuestions) expect({ question, ...times(question) }).toEqual({ question, ranges: [], months })
})

test('a word that is no time is not read as one', () => {
  for (const question of datelessQuestions) expect({ question, ...times(question) }).toEqual({ question, ranges: [], months: [] })
})
