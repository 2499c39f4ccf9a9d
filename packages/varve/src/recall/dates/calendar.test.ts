import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedDates } from '../asked-dates.ts'
import { momentOf, offsetAt } from './zone.ts'
import { askedAt, datedQuestions } from './asked-dates.sentences.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Apia', 'America/St_Johns']
const questions = Object.values(datedQuestions).flatMap((all) => all.map(([question]) => question))
const years = 10 * 365 * 86_400_000

test('at any moment and in any zone a question’s time is not empty, and one of the past has begun', () => {
  const moment = fc.integer({ min: askedAt - years, max: askedAt + years })
  fc.assert(
    fc.property(fc.constantFrom(...questions), moment, fc.constantFrom(...zones), fc.boolean(), (question, now, timeZone, isSouth) => {
      const { ranges } = askedDates(question, ['en'], { now, timeZone, hemisphere: isSouth ? 'south' : 'north' })
      for (const { from, to } of ranges) {
        expect(to).toBeGreaterThan(from)
        // "In March this year" may be to come.
        if (!/\d|this year/.test(question) && ranges.length === 1) expect(from).toBeLessThanOrEqual(now)
      }
    }),
  )
})

test('a local time is the moment at which the clocks of the zone show it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(...zones), (at, timeZone) => {
      const local = at + offsetAt(at, timeZone)
      // An hour that clocks show twice is either of two moments.
      expect([0, 3_600_000, 86_400_000]).toContain(Math.abs(momentOf(local, timeZone) - at))
    }),
  )
})
