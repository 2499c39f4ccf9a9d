import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hit } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const clock = new ManualClock()
const shared = sharedMemory({ clock, embeddingModel: false })

/** Gives the place of each hit in the order of storing, with its score and time. */
function placed(hits: readonly Hit[], stored: readonly string[]) {
  return hits.map(({ id, score, at }) => ({ score, at, place: stored.indexOf(id) }))
}

test('of equal scores the message said last comes first, then the one stored last, in whatever order they were stored', async () => {
  const said = fc.record({
    session: fc.constantFrom('one', 'two', 'three'),
    days: fc.nat(12),
    text: fc.constantFrom('the ferry', 'a ferry ran'),
  })
  let ties = 0
  await fc.assert(
    fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 30 }), async (messages) => {
      const ada = shared.user()
      const stored: string[] = []
      for (const { session, days, text } of messages) {
        const {
          messages: [one],
        } = await ada.append(session, { role: 'user', content: text, at: clock.now() - days * 86_400_000 })
        stored.push(one?.id ?? '')
      }
      const hits = placed((await ada.recall('ferry', { limit: 50 })).hits, stored)
      expect(hits).toHaveLength(messages.length)
      expect(hits).toEqual(hits.toSorted((a, b) => b.score - a.score || b.at - a.at || b.place - a.place))
      ties += hits.filter(({ score }, place) => score === hits[place + 1]?.score).length
    }),
    { numRuns: runs(60) },
  )
  expect(ties).toBeGreaterThan(20)
})

test('among more messages than are ranked, those said last are', async () => {
  const ada = shared.user()
  const all = Array.from({ length: 1_500 }, (_, place) => ({
    role: 'user' as const,
    content: 'the ferry',
    at: clock.now() - ((place * 7) % 1_500) * 60_000,
  }))
  await ada.append('old', all.slice(0, 750))
  await ada.append('new', all.slice(750))
  const { hits } = await ada.recall('ferry', { limit: 3 })
  expect(hits.map(({ at }) => (clock.now() - at) / 60_000)).toEqual([0, 1, 2])
})
