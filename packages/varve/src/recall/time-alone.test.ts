import { expect, test } from 'vitest'
import type { AskedCalendar } from './calendar.ts'
import { timeAlone } from './time-alone.ts'

/** Saturday, 21 November 2026. */
const calendar: AskedCalendar = { now: Date.UTC(2026, 10, 21, 12), timeZone: 'UTC', hemisphere: 'north' }

test.each([
  ['What did we talk about last Friday?', '2026-11-20', '2026-11-21'],
  ['What did we talk about last Friday night?', '2026-11-20', '2026-11-21'],
  ['What did you say on Thursday at 5pm?', '2026-11-19', '2026-11-20'],
  ['What did we discuss last Monday at 10:30?', '2026-11-16', '2026-11-17'],
  ['What happened last summer in the evening?', '2026-06-01', '2026-09-01'],
  ['What did we discuss two weeks ago at noon?', '2026-11-02', '2026-11-09'],
  ['what have we said in the last 24h', '2026-11-20', '2026-11-21'],
])('%s asks for a time and nothing else', (question, from, to) => {
  expect(timeAlone(question, calendar)).toEqual({ from: Date.parse(from), to: Date.parse(to) })
})

test.each([
  'What did we say about the pier last Friday night?',
  'What did we talk about?',
  'What did we talk about last spring and last autumn?',
])('%s asks for more, or for no time', (question) => {
  expect(timeAlone(question, calendar)).toBeUndefined()
})
