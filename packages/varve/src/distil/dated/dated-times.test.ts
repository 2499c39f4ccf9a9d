import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutAddedDates } from '../../models/added-dates.ts'
import { type SaidAt, datedTimes } from './dated-times.ts'
import { reportingSentences } from './dated.reporting.sentences.ts'
import { workingSentences } from './dated.working.sentences.ts'
import type { ProjectCalendar } from './said-phrase.ts'

const berlin: ProjectCalendar = { timeZone: 'Europe/Berlin', hemisphere: 'north' }
const said = (text: string, at = '2024-02-14T10:20:00Z', origin: SaidAt['origin'] = 'person'): SaidAt => ({
  text,
  at: Date.parse(at),
  origin,
})
const withoutMarks = (sentence: string): string => sentence.replaceAll(/\{[^}]*\}/g, '')
const withDates = (sentence: string): string => sentence.replaceAll(/[{}]/g, '')

/** Traps that are not seen: a possessive before a time that is part of a name, and a saying. */
const unseen = ['Olga wore her last summer dress out.', 'Leo: yesterday’s papers, who wants them, sang the Stones in “Yesterday’s Papers”.']

describe.each([...workingSentences, ...reportingSentences])(
  'said at $at in $timeZone',
  ({ at, timeZone, hemisphere = 'north', dated, undated }) => {
    test.each([...dated, ...undated].filter((sentence) => !unseen.includes(sentence)))('%s', (sentence) => {
      const text = withoutMarks(sentence)
      expect(datedTimes(text, [said(text, at)], { timeZone, hemisphere })).toBe(withDates(sentence))
    })
  },
)

const anySentence = fc.constantFrom(
  ...[...workingSentences, ...reportingSentences].flatMap(({ dated, undated }) => [...dated, ...undated]).map(withoutMarks),
)
const anyMoment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) })
const anyCalendar = fc.record({
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'),
  hemisphere: fc.constantFrom('north' as const, 'south' as const),
})

test('at any moment, dates are added and no word is changed, and a dated text gets no more of them', () => {
  fc.assert(
    fc.property(anySentence, anyMoment, anyCalendar, (text, at, calendar) => {
      const source = { text, at, origin: 'person' as const }
      const dated = datedTimes(text, [source], calendar)
      expect(withoutAddedDates(dated)).toBe(withoutAddedDates(text))
      expect(datedTimes(dated, [source], calendar)).toBe(dated)
    }),
  )
})

test('nothing between quotation marks is dated', () => {
  fc.assert(
    fc.property(anySentence, anyMoment, (words, at) => {
      const text = `Ada read out: “${words.replaceAll(/[“”"]/g, '')}”`
      expect(datedTimes(text, [{ text, at, origin: 'person' }], berlin)).toBe(text)
    }),
  )
})

describe('a text that rests on several messages', () => {
  const [monday, friday] = [said('We won yesterday!', '2024-02-12T10:00:00Z'), said('I slept all day.', '2024-02-16T10:00:00Z')]

  test('is dated from the one that holds the phrase', () => {
    expect(datedTimes('Ada won yesterday and then slept.', [friday, monday], berlin)).toBe(
      'Ada won yesterday (11 February 2024) and then slept.',
    )
  })

  test('is not dated when two hold it and mean other days, or none does', () => {
    const other = said('Yesterday was quiet.', '2024-02-16T11:00:00Z')
    for (const sources of [[monday, other], [friday, said('We won.', '2024-02-12T10:00:00Z')], []])
      expect(datedTimes('Ada won yesterday.', sources, berlin)).toBe('Ada won yesterday.')
  })

  test('is dated when all mean the same day', () => {
    const sources = [monday, said('We danced yesterday.', '2024-02-12T18:00:00Z')]
    expect(datedTimes('They won and danced yesterday.', sources, berlin)).toBe('They won and danced yesterday (11 February 2024).')
  })
})

test('the words of an assistant or a tool tell a calendar date, and no day from which to reckon', () => {
  for (const origin of ['assistant', 'tool'] as const) {
    const text = 'Send this: thank you for the call yesterday; the draft will be ready by 1 March.'
    expect(datedTimes(text, [said(text, undefined, origin)], berlin)).toBe(text.replace('1 March', '1 March (2024)'))
  }
})

test('a day is that of the project’s time zone', () => {
  const text = 'We leave tomorrow.'
  const late = said(text, '2024-02-14T23:30:00Z')
  expect(datedTimes(text, [late], berlin)).toBe('We leave tomorrow (16 February 2024).')
  expect(datedTimes(text, [late], { ...berlin, timeZone: 'America/New_York' })).toBe('We leave tomorrow (15 February 2024).')
})

test.each([
  ['Ada (last week) was ill.', 'Ada (last week, week of 5 February 2024) was ill.'],
  ['Ada fell yesterday; she was home yesterday.', 'Ada fell yesterday (13 February 2024); she was home yesterday.'],
  ['Ada fell on 3 May 2023, and a year ago she moved.', 'Ada fell on 3 May 2023, and a year ago (2023) she moved.'],
])('%s', (text, dated) => {
  expect(datedTimes(text, [said(text)], berlin)).toBe(dated)
  expect(datedTimes(dated, [said(text)], berlin)).toBe(dated)
})

test.each([
  'We decided to paint the boat, and the pier is closed on Monday.',
  'She said that the exam is on Friday.',
  'He wants to finish the novel in two weeks.',
  'If you swim daily, you will be fit in two months.',
  'We always went there in May.',
  'March 22: next week planned.',
])('a time whose day the sentence leaves open gets no date: %s', (text) => {
  expect(datedTimes(text, [said(text)], berlin)).toBe(text)
})
