import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostTelling, type PortraitLine, themesOf } from './telling.ts'

function line(text: string, place: string, more: Partial<PortraitLine> = {}): PortraitLine {
  const words = text.split(' ')
  return { text, words: words.length, terms: new Set(words), places: [place], ...more }
}

const room = { most: 10, maxWords: 150 }

test('what a person comes back to is told before what was said once', () => {
  const lines = [
    line('barometer cellar museum repair seafaring', 'a'),
    line('ferry timetable strike monday harbour', 'b'),
    line('barometer workshop museum brass glass', 'c'),
    line('barometer auction trieste museum price', 'd'),
  ]
  expect(mostTelling(lines, themesOf(lines), { ...room, most: 2 }).map(({ places: [place] }) => place)).toEqual(['a', 'c'])
  expect(mostTelling(lines, themesOf(lines), room)).toHaveLength(4)
})

test('a line that says a told one again is left out, as is another one of the same message', () => {
  const before = [line('allergic peanuts', 'z')]
  const lines = [
    line('sail wooden boat piran', 'a'),
    line('sail wooden boat lagoon', 'b'),
    line('rye bread saturday graz', 'a'),
    line('allergic peanuts cats', 'c'),
  ]
  const told = mostTelling(lines, themesOf(lines), { ...room, before }).map(({ places: [place] }) => place)
  expect(told).toEqual(['a'])
})

test('tastes share their verb and are two, but not where one says no more', () => {
  const lines = ['like swim sea', 'like ski alps', 'like ski'].map((text, at) => line(text, String(at), { isTaste: true }))
  expect(mostTelling(lines, themesOf(lines), room).map(({ text }) => text)).toEqual(['like ski alps', 'like swim sea'])
})

test('property: lines stay within the room, in number and in words, and none stands twice', () => {
  const someLine = fc
    .tuple(fc.array(fc.constantFrom(...'abcdefghijklmnop'), { minLength: 1, maxLength: 12 }), fc.nat({ max: 9 }), fc.boolean())
    .map(([words, place, isTaste]) => line(words.join(' '), String(place), { isTaste }))
  fc.assert(
    fc.property(fc.array(someLine, { maxLength: 20 }), fc.nat({ max: 6 }), fc.nat({ max: 40 }), (lines, most, maxWords) => {
      const told = mostTelling(lines, themesOf(lines), { most, maxWords })
      expect(told.length).toBeLessThanOrEqual(most)
      expect(told.reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(maxWords)
      expect(new Set(told.flatMap(({ places }) => places)).size).toBe(told.length)
      if (most > 0 && lines.some(({ words }) => words <= maxWords)) expect(told).not.toEqual([])
    }),
  )
})
