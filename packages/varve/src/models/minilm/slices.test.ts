import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packagedModel } from './model-files.ts'
import { estimateTokens, head, sliceTexts } from './slices.ts'
import { loadWordPieces } from './tokenizer.ts'

const pieces = loadWordPieces(readFileSync(packagedModel()['tokenizer.json'], 'utf8'))

test.each([
  ['English', 'I really enjoyed the pottery class last weekend; we made a bowl, and a small vase for my sister.'],
  ['German', 'Die Donaudampfschifffahrtsgesellschaft hat gestern den Fahrplan für nächstes Jahr veröffentlicht.'],
  ['Chinese', '我们昨天在杭州的会议上决定把价格提高百分之十。'],
  ['code', 'if (this.#queue.length > slicesPerThread * this.#seats.size) void this.#open()'],
  ['nothing', ''],
])('the estimate is near the truth: %s', (_, text) => {
  const found = pieces.encode(text).length
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(found * 0.6)
  expect(estimateTokens(text)).toBeLessThanOrEqual(found * 1.5)
})

test('every text is in one slice, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 900 }), { maxLength: 60 }), (texts) => {
      const slices = sliceTexts(texts)
      expect(slices.flatMap((slice) => slice.texts)).toEqual(texts)
      expect(slices.map(({ from }) => from)).toEqual(
        slices.map((_, at) => slices.slice(0, at).reduce((sum, slice) => sum + slice.texts.length, 0)),
      )
      for (const slice of slices)
        if (slice.texts.length > 1) expect(slice.texts.reduce((sum, text) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(192)
    }),
  )
})

test('a text is cut between characters', () => {
  expect(head(`${'x'.repeat(8191)}😀 and on`)).toBe('x'.repeat(8191))
  expect(head(`${'x'.repeat(8190)}😀 and on`)).toBe(`${'x'.repeat(8190)}😀`)
})

test('a megabyte of text is cut and weighed in no time', () => {
  const text = `${' '.repeat(1_000_000)}x`
  const texts = Array.from({ length: 256 }, () => text)
  sliceTexts([text])
  const start = process.cpuUsage()
  const slices = sliceTexts(texts)
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(50)
  expect(slices.flatMap((slice) => slice.texts).every(({ length }) => length === 8192)).toBe(true)
})
