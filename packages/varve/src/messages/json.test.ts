import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLarger, jsonInPieces, writtenJson } from './json.ts'
import { atOnce } from './slices.ts'

const refuse = (reason: string): never => {
  throw new TypeError(reason)
}

const anything = fc.anything({
  withDate: true,
  withObjectString: true,
  withSparseArray: true,
  withBoxedValues: true,
  withNullPrototype: true,
})

test('JSON in pieces is what JSON.stringify writes, whatever a piece holds', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 2, max: 40 }), (value, most) => {
      expect(atOnce(jsonInPieces(value, most))).toBe(JSON.stringify(value))
    }),
  )
})

test('nothing is called larger than it is', () => {
  fc.assert(
    fc.property(anything, fc.nat(200), (value, most) => {
      if (isLarger(value, most)) expect(JSON.stringify(value).length).toBeGreaterThan(most)
    }),
  )
})

test('a text is parted at no surrogate pair', () => {
  const text = '🚀'.repeat(50_000)
  expect(atOnce(writtenJson([`x${text}`, text], { maxBytes: 1_000_000, refuse }))).toBe(JSON.stringify([`x${text}`, text]))
})

describe('is refused', () => {
  const ring: unknown[] = ['x'.repeat(100_000)]
  ring.push(ring)
  test.each([
    ['a ring', ring, /it holds itself/],
    ['a lone surrogate', ['\\\ud800'], /lone surrogate/],
    ['one far back', ['x'.repeat(100_000), { '\udc00': 1 }], /lone surrogate/],
    ['one byte too much', 'x'.repeat(999_999), /larger than 1000000 bytes/],
  ])('%s', (_, value, reason) => {
    expect(() => atOnce(writtenJson(value, { maxBytes: 1_000_000, refuse }))).toThrow(reason)
  })

  test('a backslash before what looks like a surrogate is not', () => {
    expect(atOnce(writtenJson(String.raw`\ud800`, { maxBytes: 100, refuse }))).toBe(String.raw`"\\ud800"`)
  })
})

test('of what is too large, no more is read than shows it', () => {
  let read = 0
  const counted = Array.from({ length: 100_000 }, () => ({
    get value() {
      read += 1
      return 'some text'
    },
  }))
  expect(isLarger(counted, 1_000)).toBe(true)
  expect(read).toBeLessThan(100)
  read = 0
  expect(() => atOnce(writtenJson(counted, { maxBytes: 100_000, refuse }))).toThrow('larger')
  // Each is counted once and written once, up to the bound and a piece beyond it.
  expect(read).toBeLessThan(20_000)
})
