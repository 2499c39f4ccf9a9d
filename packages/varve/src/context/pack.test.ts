import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Candidate } from './candidates.ts'
import { pack } from './pack.ts'

/** A token a word: packing only needs counts. */
const byWords = { name: 'words', count: (text: string) => text.trim().split(/\s+/).length }
const candidate = (tier: 'recent' | 'details', id: string, words: number): Candidate => ({
  tier,
  id,
  reason: '',
  line: Array.from({ length: words }, () => 'w').join(' '),
  at: 0,
  seq: 0,
  session: 's',
})

test('tries smaller ones after one does not fit, and says why it did not', () => {
  const candidates = [candidate('details', 'large', 9), candidate('details', 'small', 2)]
  const { packed, omitted } = pack([{ candidates, room: 5 }], 5, byWords)
  expect(packed.map((item) => item.candidate.id)).toEqual(['small'])
  expect(omitted).toEqual([{ tier: 'details', id: 'large', count: 1, reason: 'it does not fit the budget' }])
})

test('what a tier leaves over, the others use', () => {
  const details = Array.from({ length: 8 }, (_, place) => candidate('details', `d${place}`, 1))
  const { packed } = pack(
    [
      { candidates: [candidate('recent', 'r', 1)], room: 5 },
      { candidates: details, room: 5 },
    ],
    10,
    byWords,
  )
  expect(packed).toHaveLength(9)
})

test('is never over the budget, and loses nothing: each candidate is packed or omitted', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 })
  fc.assert(
    fc.property(sizes, sizes, fc.nat(60), fc.nat(100), (recent, details, budget, share) => {
      const tiers = [
        { candidates: recent.map((words, place) => candidate('recent', `r${place}`, words)), room: (budget * share) / 100 },
        { candidates: details.map((words, place) => candidate('details', `d${place}`, words)), room: budget - (budget * share) / 100 },
      ]
      const { packed, omitted } = pack(tiers, budget, byWords)
      expect(packed.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(budget)
      const ids = [...packed.map((item) => item.candidate.id), ...omitted.map(({ id }) => id)]
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toHaveLength(recent.length + details.length)
      const smallestOmitted = Math.min(
        ...omitted.map(
          ({ id }) =>
            tiers
              .flatMap(({ candidates }) => candidates)
              .find((one) => one.id === id)
              ?.line.split(' ').length ?? 0,
        ),
      )
      const left = budget - packed.reduce((sum, { tokens }) => sum + tokens, 0)
      expect(omitted.length === 0 || smallestOmitted > left).toBe(true)
    }),
  )
})
