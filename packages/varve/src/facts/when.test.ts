import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveWhen } from './when.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'
import { runs } from '../testing/runs.ts'
import { checkLinear } from '../testing/text-steps.ts'

type Tense = 'past' | 'present' | 'future'

const berlin = 'Europe/Berlin'
/** Thursday, 19 November 2026, in the afternoon. */
const thursday = '2026-11-19T15:20:00Z'

interface Case {
  readonly phrase: string
  readonly tense?: Tense
  readonly said?: string
  readonly timeZone?: string
  readonly language?: string
}

function resolved({ phrase, tense = 'past', said = thursday, timeZone = 'UTC', language }: Case): string | undefined {
  const found = resolveWhen(phrase, { at: Date.parse(said), timeZone, tense, ...(language === undefined ? {} : { language }) })
  return found === undefined ? undefined : `${short(found.from)} ${short(found.to)}`
}

/** Midnights of UTC as days, else minutes. */
function short(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T00:00', '')
}

describe('as long as its words', () => {
  test.each([
    ['in May', '2026-05-01 2026-06-01'],
    ['May 2023', '2023-05-01 2023-06-01'],
    ['in 2019', '2019-01-01 2020-01-01'],
    ['back in 2015', '2015-01-01 2016-01-01'],
    ['from 2019 to 2021', '2019-01-01 2022-01-01'],
    ['in the 1990s', '1990-01-01 2000-01-01'],
    ['yesterday', '2026-11-18 2026-11-19'],
    ['the day before yesterday', '2026-11-17 2026-11-18'],
    ['this morning', '2026-11-19 2026-11-20'],
    ['earlier today', '2026-11-19 2026-11-20'],
    ['last night', '2026-11-18 2026-11-19'],
    ['last Friday', '2026-11-13 2026-11-14'],
    ['Last Friday.', '2026-11-13 2026-11-14'],
    ['two days ago', '2026-11-17 2026-11-18'],
    ['two weeks ago', '2026-11-02 2026-11-09'],
    ['a fortnight ago', '2026-11-02 2026-11-09'],
    ['two months ago', '2026-09-01 2026-10-01'],
    ['over three years ago', '2023-01-01 2024-01-01'],
    ['half an hour ago', '2026-11-19T14:50 2026-11-19T15:20'],
    ['last week', '2026-11-09 2026-11-16'],
    ['last weekend', '2026-11-14 2026-11-16'],
    ['last month', '2026-10-01 2026-11-01'],
    ['last quarter', '2026-07-01 2026-10-01'],
    ['last year', '2025-01-01 2026-01-01'],
    ['at the end of last year', '2025-01-01 2026-01-01'],
    ['in early May', '2026-05-01 2026-06-01'],
    ['since March', '2026-03-01 2026-04-01'],
    ['from March on', '2026-03-01 2026-04-01'],
    ['in March of last year', '2025-03-01 2025-04-01'],
    ['last year in March', '2025-03-01 2025-04-01'],
    ['on Friday last week', '2026-11-13 2026-11-14'],
    ['from May to July', '2026-05-01 2026-08-01'],
    ['between 3 and 9 May', '2026-05-03 2026-05-10'],
    ['from November to January', '2026-11-01 2027-02-01'],
    ['at 3 pm on Friday', '2026-11-13T15:00 2026-11-13T16:00'],
    ['yesterday from 3 to 5 pm', '2026-11-18T15:00 2026-11-18T17:00'],
    ['on Tuesday at 5', '2026-11-17 2026-11-18'],
    ['3 June', '2026-06-03 2026-06-04'],
    ['on the 3rd of June', '2026-06-03 2026-06-04'],
    ['June 3rd, 2021', '2021-06-03 2021-06-04'],
    ['on the morning of 3 June', '2026-06-03 2026-06-04'],
    ['on the 5th', '2026-11-05 2026-11-06'],
    ['on the 25th', '2026-10-25 2026-10-26'],
    ['on the 31st', '2026-10-31 2026-11-01'],
    ['the 5th of last month', '2026-10-05 2026-10-06'],
    ['2026-05-08', '2026-05-08 2026-05-09'],
    ['25/10/2026', '2026-10-25 2026-10-26'],
    ['last summer', '2026-06-01 2026-09-01'],
    ['in the winter of 2019', '2019-12-01 2020-03-01'],
    ['in the last three days', '2026-11-16 2026-11-20'],
    ['since this morning', '2026-11-19 2026-11-20'],
  ])('%s', (phrase, expected) => {
    expect(resolved({ phrase })).toBe(expected)
  })

  test.each([
    ['in two days', '2026-11-21 2026-11-22'],
    ['tomorrow', '2026-11-20 2026-11-21'],
    ['next week', '2026-11-23 2026-11-30'],
    ['next month', '2026-12-01 2027-01-01'],
    ['in three weeks', '2026-12-07 2026-12-14'],
    ['until 2030', '2030-01-01 2031-01-01'],
    ['this weekend', '2026-11-21 2026-11-23'],
    ['next weekend', '2026-11-28 2026-11-30'],
    ['next March', '2027-03-01 2027-04-01'],
    ['on the 5th', '2026-12-05 2026-12-06'],
    ['tomorrow at 15:30', '2026-11-20T15:30 2026-11-20T16:30'],
    ['at noon', '2026-11-20T12:00 2026-11-20T13:00'],
    ['in ten minutes', '2026-11-19T15:30 2026-11-19T16:30'],
    ['within the next two weeks', '2026-11-19 2026-12-04'],
  ])('to come: %s', (phrase, expected) => {
    expect(resolved({ phrase, tense: 'future' })).toBe(expected)
  })
})

describe('which year, week or day is meant, where none is said', () => {
  test.each<[string, Tense, string, string | undefined]>([
    ['in March', 'past', '2026-01-10T12:00Z', '2025-03-01 2025-04-01'],
    ['in March', 'past', '2026-04-20T12:00Z', '2026-03-01 2026-04-01'],
    ['in March', 'past', '2026-03-20T12:00Z', '2026-03-01 2026-04-01'],
    ['in March', 'future', '2026-01-10T12:00Z', '2026-03-01 2026-04-01'],
    ['in March', 'future', '2026-04-20T12:00Z', '2027-03-01 2027-04-01'],
    ['in March', 'present', '2026-01-10T12:00Z', '2025-03-01 2025-04-01'],
    ['in March', 'present', '2026-03-10T12:00Z', '2026-03-01 2026-04-01'],
    ['31 December', 'past', '2026-01-01T12:00Z', '2025-12-31 2026-01-01'],
    ['1 January', 'future', '2026-12-31T12:00Z', '2027-01-01 2027-01-02'],
    ['3 June', 'present', '2026-05-20T12:00Z', '2026-06-03 2026-06-04'],
    ['last May', 'past', '2026-05-20T12:00Z', '2025-05-01 2025-06-01'],
    ['29 February', 'past', '2026-11-19T12:00Z', '2024-02-29 2024-03-01'],
    ['February 29th', 'future', '2026-11-19T12:00Z', '2028-02-29 2028-03-01'],
    ['30 February', 'past', '2026-11-19T12:00Z', undefined],
    ['29 February 2023', 'past', '2026-11-19T12:00Z', undefined],
    ['on Friday', 'past', thursday, '2026-11-13 2026-11-14'],
    ['on Friday', 'future', thursday, '2026-11-20 2026-11-21'],
    ['on Friday', 'present', thursday, '2026-11-20 2026-11-21'],
    ['on Thursday', 'past', thursday, '2026-11-12 2026-11-13'],
    ['on Thursday', 'future', thursday, '2026-11-26 2026-11-27'],
    ['this Thursday', 'future', thursday, '2026-11-19 2026-11-20'],
    ['next Friday', 'future', thursday, '2026-11-27 2026-11-28'],
    ['the coming Friday', 'future', thursday, '2026-11-20 2026-11-21'],
    ['next Friday', 'future', '2026-11-21T12:00Z', '2026-11-27 2026-11-28'],
    ['last week', 'past', '2026-11-16T00:30Z', '2026-11-09 2026-11-16'],
    ['last week', 'past', '2026-11-15T23:30Z', '2026-11-02 2026-11-09'],
    ['last week', 'past', '2027-01-02T12:00Z', '2026-12-21 2026-12-28'],
    ['this week', 'present', '2027-01-02T12:00Z', '2026-12-28 2027-01-04'],
    ['last month', 'past', '2026-03-31T12:00Z', '2026-02-01 2026-03-01'],
    ['a year ago', 'past', '2024-02-29T12:00Z', '2023-01-01 2024-01-01'],
    ['at 11 pm', 'past', thursday, '2026-11-18T23:00 2026-11-19'],
    ['in spring', 'past', '2026-02-01T12:00Z', '2025-03-01 2025-06-01'],
    ['in spring', 'future', '2026-02-01T12:00Z', '2026-03-01 2026-06-01'],
    ['last winter', 'past', '2026-01-10T12:00Z', '2024-12-01 2025-03-01'],
    ['now', 'present', thursday, '2026-11-19 2026-11-20'],
    ['currently', 'present', thursday, '2026-11-19 2026-11-20'],
    ['from now on', 'future', thursday, '2026-11-19 2026-11-20'],
  ])('%s, %s, on %s', (phrase, tense, said, expected) => {
    expect(resolved({ phrase, tense, said })).toBe(expected)
  })
})

describe('days of a time zone', () => {
  test.each<[string, string, string, string]>([
    ['yesterday', berlin, '2026-11-18T23:30Z', '2026-11-17T23:00 2026-11-18T23:00'],
    ['yesterday', 'America/Los_Angeles', '2026-11-19T05:00Z', '2026-11-17T08:00 2026-11-18T08:00'],
    ['today', 'Pacific/Kiritimati', '2026-11-19T12:00Z', '2026-11-19T10:00 2026-11-20T10:00'],
    ['today', berlin, '2026-03-29T12:00Z', '2026-03-28T23:00 2026-03-29T22:00'],
    ['today', berlin, '2026-10-25T12:00Z', '2026-10-24T22:00 2026-10-25T23:00'],
    ['last week', berlin, '2026-03-30T12:00Z', '2026-03-22T23:00 2026-03-29T22:00'],
    ['in May', berlin, '2026-11-19T12:00Z', '2026-04-30T22:00 2026-05-31T22:00'],
    ['last year', 'Asia/Kolkata', '2026-11-19T12:00Z', '2024-12-31T18:30 2025-12-31T18:30'],
    ['today at 2:30 am', berlin, '2026-03-29T12:00Z', '2026-03-29T01:30 2026-03-29T02:30'],
    ['yesterday', 'America/Havana', '2026-03-09T12:00Z', '2026-03-08T05:00 2026-03-09T04:00'],
    ['30 December 2011', 'Pacific/Apia', '2026-03-09T12:00Z', 'none'],
    ['at 3 pm EST on Friday', berlin, thursday, '2026-11-13T20:00 2026-11-13T21:00'],
  ])('%s in %s', (phrase, timeZone, said, expected) => {
    expect(resolved({ phrase, timeZone, said }) ?? 'none').toBe(expected)
  })

  test('a zone that is unknown, or a moment that is none', () => {
    expect(resolved({ phrase: 'yesterday', timeZone: 'Nowhere/Atlantis' })).toBeUndefined()
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 1.5, 1e15, -1e15, 8.7e15])
      expect(resolveWhen('yesterday', { at, timeZone: 'UTC', tense: 'past' })).toBeUndefined()
  })
})

test.each([
  ['de', 'im Mai', '2026-05-01 2026-06-01'],
  ['de', 'Mai 2023', '2023-05-01 2023-06-01'],
  ['de', 'seit März', '2026-03-01 2026-04-01'],
  ['de', 'am 3. Juni', '2026-06-03 2026-06-04'],
  ['de', 'vor zwei Wochen', '2026-11-02 2026-11-09'],
  ['de', 'letzten Freitag', '2026-11-13 2026-11-14'],
  ['de-AT', 'gestern', '2026-11-18 2026-11-19'],
  ['de', 'last week', '2026-11-09 2026-11-16'],
  ['de', 'vor ein paar Tagen', undefined],
  ['fr', 'vendredi dernier', '2026-11-13 2026-11-14'],
  ['fr', 'il y a deux semaines', '2026-11-02 2026-11-09'],
  ['fr', 'depuis mars', '2026-03-01 2026-04-01'],
  ['es', 'el viernes pasado', '2026-11-13 2026-11-14'],
  ['es', 'el 3 de junio de 2021', '2021-06-03 2021-06-04'],
  ['it', "l'anno scorso", '2025-01-01 2026-01-01'],
  ['pt', 'em março', '2026-03-01 2026-04-01'],
  ['nl', 'afgelopen vrijdag', '2026-11-13 2026-11-14'],
  ['ja', '2023年5月8日', '2023-05-08 2023-05-09'],
  ['ja', '5月に', '2026-05-01 2026-06-01'],
  ['ru', 'в 2019 году', '2019-01-01 2020-01-01'],
  ['ru', 'две недели назад', '2026-11-02 2026-11-09'],
  ['uk', 'у травні', '2026-05-01 2026-06-01'],
  ['sv', '3 juni', '2026-06-03 2026-06-04'],
  ['zh', '上周五', '2026-11-13 2026-11-14'],
  ['xx', 'yesterday', '2026-11-18 2026-11-19'],
  ['', 'yesterday', '2026-11-18 2026-11-19'],
])('%s: %s', (language, phrase, expected) => {
  expect(resolved({ phrase, language })).toBe(expected)
})

describe('what cannot be told', () => {
  test.each([
    '',
    ' ',
    '?',
    'recently',
    'a while ago',
    'soon',
    'some day',
    'back then',
    'the other day',
    'a few days ago',
    'several months ago',
    'every Friday',
    'on Fridays',
    'for two years',
    'before May',
    'after 2019',
    'two days later',
    'when I was 12',
    'at Christmas',
    'the second Friday of May',
    'on Friday or Saturday',
    '3/4/2026',
    '5.6.',
    'not on Friday',
    'in 1500',
    'in 2999',
    '99999 years ago',
    'in 99999999999999999999 days',
    'the boat',
    '12',
    'x'.repeat(201),
    'yesterday'.padEnd(201),
  ])('%j', (phrase) => {
    for (const tense of ['past', 'present', 'future'] as const) expect(resolved({ phrase, tense })).toBeUndefined()
  })

  test.each<[string, Tense]>([
    ['tomorrow', 'past'],
    ['next week', 'past'],
    ['in two days', 'past'],
    ['in March 2027', 'past'],
    ['within the next two weeks', 'past'],
    ['yesterday', 'future'],
    ['last Friday', 'future'],
    ['two hours ago', 'future'],
    ['in 2019', 'future'],
    ['in the last three days', 'future'],
  ])('%s in the %s tense', (phrase, tense) => {
    expect(resolved({ phrase, tense })).toBeUndefined()
    expect(resolved({ phrase, tense: 'present' })).toBeDefined()
  })
})

const words = [
  'in',
  'on',
  'at',
  'the',
  'last',
  'next',
  'this',
  'of',
  'to',
  'from',
  'between',
  'and',
  'ago',
  'two',
  '3',
  '12',
  '31st',
  '2019',
  '2027',
  'May',
  'February 29',
  'Friday',
  'week',
  'weekend',
  'months',
  'year',
  'years',
  'days',
  'hours',
  'spring',
  'winter',
  'tomorrow',
  'yesterday',
  '3 pm',
  '10:30',
  'EST',
  '99999',
  '-',
  '3/4',
  'gestern',
  'mai',
  'вчера',
  '5月',
  'noon',
  'quarter',
  '275760',
  'BC',
  '00:00',
  '1800-01-01',
  '2200-12-31',
]
const phrases = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((all) => all.join(' ')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
)
const saids = fc.record({
  at: fc.integer({ min: Date.UTC(1801, 0), max: Date.UTC(2199, 0) }),
  timeZone: fc.constantFrom(
    'UTC',
    berlin,
    'America/New_York',
    'Pacific/Apia',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Nowhere',
  ),
  tense: fc.constantFrom<Tense>('past', 'present', 'future'),
  language: fc.constantFrom('en', 'de', 'fr', 'es', 'ja', 'ru', 'zh', 'qq'),
})

test('whatever is said is never inverted, nor contrary to its tense, and always the same', () => {
  fc.assert(
    fc.property(phrases, saids, (phrase, said) => {
      const found = resolveWhen(phrase, said)
      expect(resolveWhen(phrase, said)).toEqual(found)
      if (found === undefined) return
      expect(found.from).toBeLessThan(found.to)
      expect(Number.isInteger(found.from) && Number.isInteger(found.to)).toBe(true)
      if (said.tense === 'past') expect(found.from).toBeLessThanOrEqual(said.at)
      if (said.tense === 'future') expect(found.to).toBeGreaterThan(said.at)
    }),
    { numRuns: runs(3_000) },
  )
})

const signs = [' ', '1', 'a', '"', ',', 'é', '月', 'in ', 'last ', '1 day ', 'may ', '12:', 'the end of ', 'this ', '1/', 'and ']

test.each(signs)('hostile text of %j is read in linear time', (sign) => {
  for (const language of ['en', 'de', 'ru', 'ja']) {
    checkLinear((length) => resolved({ phrase: sign.repeat(length).slice(0, length), language }))
    // The longest that is read at all: some searches are not linear there, and all of them end.
    checkLinear(() => resolved({ phrase: sign.repeat(200).slice(0, 200), language }))
  }
})
