import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeBullets, wordCountIn } from './merge-bullets.ts'

const source = (weight: number, ...texts: string[]) => ({ weight, bullets: texts.map((text) => ({ text })) })
const bounds = { maxBullets: 4, maxWords: 12 }

test('takes first bullets before second ones, the heaviest source first, each text once', () => {
  const merged = mergeBullets([source(1, 'a', 'b'), source(5, 'c', 'd'), source(1, 'a', 'e')], bounds)
  expect(merged.map(({ text }) => text)).toEqual(['c', 'a', 'd', 'b'])
})

test('passes over what is too long, but cuts it when there is nothing else', () => {
  const long = Array.from({ length: 13 }, (_, place) => `w${place}`).join(' ')
  expect(mergeBullets([source(2, long, 'short')], bounds)).toEqual([{ text: 'short' }])
  expect(mergeBullets([source(2, long)], bounds)).toEqual([{ text: long.replace(' w12', '') }])
})

test('keeps the bounds', () => {
  const bullets = fc.array(fc.lorem({ maxCount: 20 }), { maxLength: 5 })
  fc.assert(
    fc.property(fc.array(bullets, { maxLength: 6 }), (all) => {
      const merged = mergeBullets(
        all.map((texts, weight) => source(weight % 3, ...texts)),
        bounds,
      )
      expect(merged.length).toBeLessThanOrEqual(bounds.maxBullets)
      expect(merged.reduce((sum, { text }) => sum + wordCountIn(text), 0)).toBeLessThanOrEqual(bounds.maxWords)
      expect(merged.length > 0).toBe(all.some((texts) => texts.length > 0))
    }),
  )
})
