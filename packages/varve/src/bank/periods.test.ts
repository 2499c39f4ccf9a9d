import { describe, expect, test } from 'vitest'
import { granularities } from './granularity.ts'
import { localDay, parentPeriod, periodEnd, periodLabel, periodOf } from './periods.ts'

const at = (text: string) => Date.parse(text)
const iso = (time: number) => new Date(time).toISOString()

describe('the day of a moment', () => {
  test.each([
    ['America/New_York', '2026-03-08T04:59:59Z', '2026-03-07', 'the night before the clock goes forward'],
    ['America/New_York', '2026-03-09T03:59:59Z', '2026-03-08', 'a day of 23 hours'],
    ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01', 'a day of 25 hours'],
    ['Europe/Vienna', '2026-03-29T21:59:59Z', '2026-03-29', 'forward in Europe'],
    ['Europe/Vienna', '2026-10-25T22:59:59Z', '2026-10-25', 'back in Europe'],
    ['Australia/Lord_Howe', '2026-04-04T13:29:59Z', '2026-04-05', 'back by half an hour'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-04', 'a day without a midnight'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01', 'at +14'],
    ['Pacific/Pago_Pago', '2027-01-01T10:59:59Z', '2026-12-31', 'at -11'],
    ['Asia/Kathmandu', '2026-06-30T18:15:00Z', '2026-07-01', 'at +05:45'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29', 'before the day that was skipped'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31', 'after the day that was skipped'],
    ['UTC', '1969-12-31T23:59:59.999Z', '1969-12-31', 'before 1970'],
  ])('%s %s is %s: %s', (timeZone, moment, day) => {
    expect(localDay(at(moment), timeZone)).toBe(day)
  })

  test.each(['America/St_Johns', 'America/Sao_Paulo', 'Pacific/Apia', 'Europe/Vienna', 'Africa/Casablanca'])(
    'never goes back in %s, in whatever order it is asked',
    (timeZone) => {
      const hours = Array.from({ length: 2 * 365 * 24 }, (_, hour) => at('2010-01-01T00:01:00Z') + hour * 3_600_000)
      const backwards = hours
        .toReversed()
        .map((time) => localDay(time, timeZone))
        .toReversed()
      expect(backwards).toEqual(hours.map((time) => localDay(time, timeZone)))
      expect(backwards).toEqual(backwards.toSorted())
      for (const [place, day] of backwards.slice(0, -1).entries()) {
        if (backwards[place + 1] !== day) expect(periodEnd('day', day, timeZone), day).toBeLessThanOrEqual(hours[place + 1] ?? 0)
      }
    },
  )

  test('has ended once the next began, though the clock showed its last minutes again', () => {
    // The clock of St. John's was put back from 00:01 to 23:01.
    expect(localDay(at('2010-11-07T02:30:30Z'), 'America/St_Johns')).toBe('2010-11-07')
    expect(localDay(at('2010-11-07T03:00:00Z'), 'America/St_Johns')).toBe('2010-11-07')
    expect(localDay(at('2010-11-07T02:29:59Z'), 'America/St_Johns')).toBe('2010-11-06')
  })

  test('an unknown zone is refused', () => {
    expect(() => localDay(0, 'Middle/Earth')).toThrow(RangeError)
  })
})

// requirement: BANK-8
describe('periods', () => {
  test.each([
    ['2026-12-31', '2026-W53', '2026-12', '2026'],
    ['2027-01-03', '2026-W53', '2026-12', '2026'],
    ['2027-01-04', '2027-W01', '2027-01', '2027'],
    ['2020-12-31', '2020-W53', '2020-12', '2020'],
    ['2021-01-03', '2020-W53', '2020-12', '2020'],
    ['2024-12-30', '2025-W01', '2025-01', '2025'],
    ['2024-02-29', '2024-W09', '2024-02', '2024'],
    ['2026-09-28', '2026-W40', '2026-10', '2026'],
    ['2026-11-01', '2026-W44', '2026-10', '2026'],
  ])('%s is in %s, %s, %s', (day, week, month, year) => {
    expect(granularities.map((granularity) => periodOf(day, granularity))).toEqual([day, day, week, month, year])
    expect(parentPeriod(day, 'conversation')).toBe(day)
    expect([parentPeriod(day, 'day'), parentPeriod(week, 'week'), parentPeriod(month, 'month')]).toEqual([week, month, year])
  })

  test('nest: one ends after the last of its days, and after no other', () => {
    const days = Array.from({ length: 8 * 366 }, (_, day) => new Date(Date.UTC(2019, 0, 1 + day)).toISOString().slice(0, 10))
    for (const granularity of ['week', 'month', 'year'] as const) {
      const periods = days.map((day) => periodOf(day, granularity))
      const last = days.filter((_, place) => periods[place + 1] !== periods[place])
      const ending = days.filter(
        (day, place) => periodEnd(granularity, periods[place] ?? '', 'Europe/Vienna') === periodEnd('day', day, 'Europe/Vienna'),
      )
      expect(ending.filter((day) => day < '2026-12-01')).toEqual(last.filter((day) => day < '2026-12-01'))
    }
  })

  test('end at local midnight', () => {
    expect(iso(periodEnd('day', '2026-03-08', 'America/New_York'))).toBe('2026-03-09T04:00:00.000Z')
    expect(iso(periodEnd('week', '2026-W53', 'Pacific/Kiritimati'))).toBe('2027-01-03T10:00:00.000Z')
    expect(iso(periodEnd('month', '2026-12', 'Pacific/Pago_Pago'))).toBe('2027-01-04T11:00:00.000Z')
    expect(iso(periodEnd('year', '2026', 'UTC'))).toBe('2027-01-04T00:00:00.000Z')
    expect(iso(periodEnd('day', '2011-12-29', 'Pacific/Apia'))).toBe('2011-12-30T10:00:00.000Z')
  })

  test('have names', () => {
    expect(periodLabel('conversation', '2026-12-31')).toBe('Thu 31 Dec 2026')
    expect(periodLabel('day', '2024-02-29')).toBe('Thu 29 Feb 2024')
    expect(periodLabel('week', '2026-W53')).toBe('Week of 28 Dec 2026')
    expect(periodLabel('month', '2026-12')).toBe('December 2026')
    expect(periodLabel('year', '2026')).toBe('2026')
  })
})
