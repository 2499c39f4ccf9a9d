import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localDay } from './periods.ts'
import { settleMs } from './settled.ts'
import { sittingsOf } from './sittings.ts'

const zone = 'Europe/Vienna'
const minute = 60_000
const said = (...times: string[]) => times.map((time, seq) => ({ seq, at: Date.parse(`${time}+02:00`) }))

test('a run across midnight belongs to its first day, until a pause of 10 minutes', () => {
  const messages = said('2026-07-01T23:50', '2026-07-01T23:59', '2026-07-02T00:08:59', '2026-07-02T00:18:59', '2026-07-02T00:20')
  expect(sittingsOf(messages, undefined, zone)).toEqual(['2026-07-01', '2026-07-01', '2026-07-01', '2026-07-02', '2026-07-02'])
})

test('an endless run moves on at the end of the following day', () => {
  const start = Date.parse('2026-07-01T12:00+02:00')
  const messages = Array.from({ length: 4 * 24 * 12 }, (_, seq) => ({ seq, at: start + seq * 5 * minute }))
  const days = sittingsOf(messages, undefined, zone)
  expect([...new Set(days)]).toEqual(['2026-07-01', '2026-07-03', '2026-07-05'])
  for (const [place, { at }] of messages.entries()) expect(localDay(at - 24 * 60 * minute, zone) <= (days[place] ?? '')).toBe(true)
})

test('the following day of one before a skipped day is the one after it', () => {
  const late = Date.parse('2011-12-30T09:55:00Z')
  expect(
    sittingsOf(
      [
        { seq: 0, at: late },
        { seq: 1, at: late + 6 * minute },
      ],
      undefined,
      'Pacific/Apia',
    ),
  ).toEqual(['2011-12-29', '2011-12-29'])
})

test('what was said earlier than the message before belongs to its own day', () => {
  const messages = said('2026-07-05T12:00', '2026-07-01T23:58', '2026-07-02T00:01', '2026-07-05T12:01')
  expect(sittingsOf(messages, undefined, zone)).toEqual(['2026-07-05', '2026-07-01', '2026-07-01', '2026-07-05'])
  expect(sittingsOf(said('2026-07-02T00:05'), { day: '2026-07-01', lastAt: Date.parse('2026-07-02T00:06+02:00') }, zone)).toEqual([
    '2026-07-02',
  ])
})

test('in pieces as in one go; never later than its own day, and earlier only by one and only in a run', () => {
  const gap = fc.oneof(fc.integer({ min: 0, max: 2 * settleMs }), fc.integer({ min: -40 * 3_600_000, max: 40 * 3_600_000 }))
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 200 }), fc.nat(200), fc.constantFrom(zone, 'UTC', 'America/St_Johns'), (gaps, cut, timeZone) => {
      let at = Date.parse('2010-11-05T20:00Z')
      const messages = gaps.map((gap, seq) => ({ seq, at: (at += gap) }))
      const whole = sittingsOf(messages, undefined, timeZone)
      const [first, second] = [messages.slice(0, cut), messages.slice(cut)]
      const last = first.at(-1)
      const before = last === undefined ? undefined : { day: whole[first.length - 1] ?? '', lastAt: last.at }
      expect([...sittingsOf(first, undefined, timeZone), ...sittingsOf(second, before, timeZone)]).toEqual(whole)
      for (const [place, message] of messages.entries()) {
        const own = localDay(message.at, timeZone)
        const gap = message.at - (messages[place - 1]?.at ?? Number.NEGATIVE_INFINITY)
        if (gap < 0 || gap >= settleMs) expect(whole[place]).toBe(own)
        else expect([own, whole[place - 1]]).toContain(whole[place])
        expect(Date.parse(own) - Date.parse(whole[place] ?? '')).toBeOneOf([0, 24 * 60 * minute])
      }
    }),
  )
})
