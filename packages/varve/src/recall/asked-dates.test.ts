import { expect, test } from 'vitest'
import { askedDates } from './asked-dates.ts'

const now = Date.UTC(2026, 10, 21, 12)
const calendar = { now, timeZone: 'UTC', hemisphere: 'north' } as const
const day = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date)

test.each([
  ['What happened on 8 May, 2023?', day(2023, 5, 8), day(2023, 5, 9)],
  ['What did she do in May 2023?', day(2023, 5, 1), day(2023, 6, 1)],
  ['Which city did he visit in 2022?', day(2022, 1, 1), day(2023, 1, 1)],
  ['what did I say yesterday', day(2026, 11, 20), day(2026, 11, 21)],
  ['What about 08.05.2023?', day(2023, 5, 8), day(2023, 5, 9)],
  ['What about 28.05.2023?', day(2023, 5, 28), day(2023, 5, 29)],
  ['What about 8.5.23?', day(2023, 5, 8), day(2023, 5, 9)],
  ['What about 2023-05-08?', day(2023, 5, 8), day(2023, 5, 9)],
  ['What was planned for the evening of 8 May, 2023?', day(2023, 5, 8), day(2023, 5, 9)],
  ['Who rang in the night of May 8th, 2023?', day(2023, 5, 8), day(2023, 5, 9)],
  ['What happened between May 3 and May 9, 2023?', day(2023, 5, 3), day(2023, 5, 10)],
  ['What happened between 3 and 9 May 2023?', day(2023, 5, 3), day(2023, 5, 10)],
  ['What happened between the night of 3 May and the morning of 9 May 2023?', day(2023, 5, 3), day(2023, 5, 10)],
  ['Who came from 2023-05-03 to 2023-05-09?', day(2023, 5, 3), day(2023, 5, 10)],
  ['Where were they from May to July 2023?', day(2023, 5, 1), day(2023, 8, 1)],
])('%s', (question, from, to) => {
  expect(askedDates(question, ['en'], calendar)).toEqual({ ranges: [{ from, to }], yearly: [] })
})

test('a month without a year is that month of any year', () => {
  expect(askedDates('What did they plan for June?', [], calendar)).toEqual({ ranges: [], yearly: [{ month: 5, day: undefined }] })
  expect(askedDates('Who came on 3 June?', ['en'], calendar)).toEqual({ ranges: [], yearly: [{ month: 5, day: 3 }] })
  expect(askedDates('Who came on the morning of 3 June?', ['en'], calendar)).toEqual({ ranges: [], yearly: [{ month: 5, day: 3 }] })
  expect(askedDates('Who came on 3 June, 14:00 to 15:00?', ['en'], calendar)).toEqual({ ranges: [], yearly: [{ month: 5, day: 3 }] })
  expect(askedDates('Who came 3 to 9 June?', ['en'], calendar)).toEqual({
    ranges: [],
    yearly: [3, 4, 5, 6, 7, 8, 9].map((date) => ({ month: 5, day: date })),
  })
  expect(askedDates('What sold from November to January?', ['en'], calendar).yearly).toEqual(
    [10, 11, 0].map((month) => ({ month, day: undefined })),
  )
})

test('the language of the talk is read as well', () => {
  expect(askedDates('Was geschah am 8. Mai 2023?', ['de'], calendar).ranges).toContainEqual({ from: day(2023, 5, 8), to: day(2023, 5, 9) })
})

test.each([
  'When did they meet?',
  'What lies between the pier and the shed?',
  'the night of the long rain',
  'Does he sail now?',
  'What may I bring?',
  '',
  'the 12 barges',
  '2 * 3 = 6',
])('%s says no date', (question) => {
  expect(askedDates(question, ['en'], calendar)).toEqual({ ranges: [], yearly: [] })
})

test('a question that is read again by the same calendar is read in the language of the talk', () => {
  const said = 'Was geschah am 8. Mai?'
  const [first, german, again] = [[], ['de'], []].map((languages) => askedDates(said, languages, calendar))
  expect(german).not.toEqual(first)
  expect(again).toEqual(first)
  expect(askedDates(said, ['de'], { ...calendar })).toEqual(german)
})
