import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementPlaces, memberPlace, topPlace } from './json-places.ts'

/** Writes JSON with blanks of every kind between its signs. */
function spaced(value: unknown, blank: string): string {
  if (Array.isArray(value)) return `[${blank}${value.map((one) => spaced(one, blank)).join(`${blank},${blank}`)}${blank}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}${blank}:${blank}${spaced(one, blank)}`)
  return `{${blank}${members.join(`${blank},${blank}`)}${blank}}`
}

const blanks = fc.constantFrom('', ' ', '\n\t', '\r\n  ')

test('every member and element stands where JSON.parse finds it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), blanks, blanks, (value, blank, around) => {
      const text = around + spaced(value, blank) + around
      const top = topPlace(text)
      expect(JSON.parse(text.slice(top.from, top.to))).toEqual(JSON.parse(text))
      if (Array.isArray(value))
        expect(elementPlaces(text, top).map(({ from, to }) => JSON.parse(text.slice(from, to)))).toEqual(JSON.parse(text))
      else if (value !== null && typeof value === 'object')
        for (const key of Object.keys(value)) {
          const place = memberPlace(text, top, key)
          expect(JSON.parse(text.slice(place?.from, place?.to))).toEqual(JSON.parse(text)[key])
        }
    }),
  )
})

test('texts with quotation marks, brackets and backslashes in them end where they end', () => {
  const text = String.raw`{"a":"\\\"]}{[,:\\","b":["\\","\"","\\\\\"x"],"a\"b":{"":1e-2}}`
  const top = topPlace(text)
  for (const key of ['a', 'b', 'a"b']) {
    const place = memberPlace(text, top, key)
    expect(JSON.parse(text.slice(place?.from, place?.to))).toEqual(JSON.parse(text)[key])
  }
})

test('of a key that stands twice the last counts, also when it is written in escapes', () => {
  const text = String.raw`{"messages":[1],"m\u0065ssages":[2]}`
  const place = memberPlace(text, topPlace(text), 'messages')
  expect(text.slice(place?.from, place?.to)).toBe('[2]')
  expect(memberPlace(text, topPlace(text), 'input')).toBeUndefined()
})
