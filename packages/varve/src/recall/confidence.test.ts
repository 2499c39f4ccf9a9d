import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { answerConfidence, type Evidence, leastToShow } from './confidence.ts'
import { leastConfidence, leastEnglish, leastToLeaveOut, mostCosine, mostSaid } from './weights.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const evidence = fc.record({
  score: share,
  cosine: fc.option(share, { nil: undefined }),
  known: share,
  messages: fc.integer({ min: 1, max: 1_000_000 }),
  english: share,
  said: share,
})

test('confidence is from 0 to 1, and more evidence never lowers it', () => {
  fc.assert(
    fc.property(evidence, share, share, share, (given, score, cosine, known) => {
      const more: Evidence = {
        ...given,
        score: Math.max(given.score, score),
        cosine: given.cosine === undefined ? undefined : Math.max(given.cosine, cosine),
        known: Math.max(given.known, known),
      }
      expect(answerConfidence(given)).toBeGreaterThanOrEqual(0)
      expect(answerConfidence(more)).toBeLessThanOrEqual(1)
      expect(answerConfidence(more)).toBeGreaterThanOrEqual(answerConfidence(given))
    }),
    { numRuns: runs(300) },
  )
})

const anywhere = {
  minConfidence: undefined,
  session: undefined,
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  metadata: undefined,
}
const enough: Evidence = { score: 0, cosine: 0, known: 0, messages: leastToLeaveOut, english: leastEnglish, said: 0 }

test('an answer is left out by default only among many messages, and never where a filter names the place', () => {
  expect(leastToShow(anywhere, enough)).toBe(leastConfidence)
  expect(leastToShow(anywhere, { ...enough, messages: leastToLeaveOut - 1 })).toBe(0)
  for (const filter of [{ session: 'monday' }, { from: 0 }, { to: 0 }, { metadata: {} }])
    expect(leastToShow({ ...anywhere, ...filter }, enough)).toBe(0)
  expect(leastToShow({ ...anywhere, session: 'monday', minConfidence: 0.5 }, { ...enough, messages: 3 })).toBe(0.5)
})

test('an answer is never left out by default where talk is not English, or the best hit is near the question', () => {
  expect(leastToShow(anywhere, { ...enough, english: leastEnglish - 0.01 })).toBe(0)
  expect(leastToShow(anywhere, { ...enough, said: mostSaid })).toBe(0)
  expect(leastToShow(anywhere, { ...enough, cosine: mostCosine })).toBe(0)
  expect(leastToShow(anywhere, { ...enough, cosine: undefined })).toBe(leastConfidence)
  expect(leastToShow({ ...anywhere, minConfidence: 0.5 }, { ...enough, english: 0, said: 1 })).toBe(0.5)
})
