import { expect, test } from 'vitest'
import { dayInWords } from './session.ts'

test('a day in words is that of en-GB, on each day of four years and at their edges', () => {
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  for (let at = Date.UTC(2023, 0, 1); at < Date.UTC(2027, 0, 2); at += 86_400_000)
    for (const moment of [at, at + 86_399_999]) expect(dayInWords(moment)).toBe(days.format(moment))
})
