import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { answerConfidence, type Evidence, leastToShow } from './confidence.ts'
import { leastConfidence, leastToLeaveOut } from './weights.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const evidence = fc.record({
  score: share,
  cosine: fc.option(share, { nil: undefined }),
  known: share,
  messages: fc.integer({ min: 1, max: 1_000_000 }),
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

test('an answer is left out by default only among many messages, and never where a filter names the place', () => {
  const asked = {
    minConfidence: undefined,
    session: undefined,
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
    metadata: undefined,
  }
  expect(leastToShow(asked, leastToLeaveOut)).toBe(leastConfidence)
  expect(leastToShow(asked, leastToLeaveOut - 1)).toBe(0)
  for (const filter of [{ session: 'monday' }, { from: 0 }, { to: 0 }, { metadata: {} }])
    expect(leastToShow({ ...asked, ...filter }, 1_000)).toBe(0)
  expect(leastToShow({ ...asked, session: 'monday', minConfidence: 0.5 }, 3)).toBe(0.5)
})
