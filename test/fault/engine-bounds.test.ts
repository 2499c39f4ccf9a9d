import { expect, test } from 'vitest'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

/** Makes a message of the largest size, most of it one word: the test is about its size, not about search. */
function longest(place: number): { role: 'user'; id: string; content: string } {
  return {
    role: 'user',
    id: `m${place}`,
    content: `message ${place} about the green barges at the northern quay. `.padEnd(1024 * 1024, 'x'),
  }
}

// requirement: P5.12
test('a page of messages ends early at 16 MiB and says where the next one goes on; all of them together are the session', async () => {
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = memory.for('ada')
  const bob = memory.for('bob')
  await bob.append('other', { role: 'user', content: 'the ferry leaves at nine' })
  for (let place = 0; place < 40; place += 8)
    await ada.append(
      'long',
      Array.from({ length: 8 }, (_, next) => longest(place + next)),
    )
  const seqs: number[] = []
  const sizes: number[] = []
  for (let before: number | undefined = 41; before !== undefined;) {
    const page: Awaited<ReturnType<typeof ada.messages>> = await ada.messages('long', { limit: 10_000, before })
    seqs.unshift(...page.map(({ seq }) => seq))
    sizes.push(page.length)
    before = page.before
  }
  expect(sizes).toEqual([16, 16, 8])
  expect(seqs).toEqual(Array.from({ length: 40 }, (_, place) => place + 1))
  expect(await ada.messages('long', { limit: 5 })).toHaveLength(5)
  expect((await bob.recall('ferry')).hits).toHaveLength(1)
  const { hits, degraded } = await ada.recall('green barges', { limit: 40 })
  expect([hits.length, degraded]).toEqual([16, ['ended early: the best 16 messages come to 16 MiB of text, the most of one answer']])
  expect(memory.counters().threadsRestarted).toBe(0)
})

test('appends of more than may be under way wait for their turn; all are stored, in their order', async () => {
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = memory.for('ada')
  // 2 bytes a character: some 32 cross at once.
  await Promise.all(Array.from({ length: 80 }, (_, place) => ada.append('long', longest(place))))
  const stored: string[] = []
  for (let before: number | undefined = 81; before !== undefined;) {
    const page: Awaited<ReturnType<typeof ada.messages>> = await ada.messages('long', { limit: 10_000, before })
    stored.unshift(...page.map(({ externalId }) => externalId ?? ''))
    before = page.before
  }
  expect(stored).toEqual(Array.from({ length: 80 }, (_, place) => `m${place}`))
  expect(memory.counters().threadsRestarted).toBe(0)
})

test('what waits for its turn when the memory is closed is stored', async () => {
  const store = newStore()
  const memory = await openForTest({ store, engine: 'threads' })
  const appended = Promise.all(Array.from({ length: 50 }, (_, place) => memory.for('ada').append('long', longest(place))))
  await memory.close()
  await appended
  const again = await openForTest({ store })
  expect((await again.for('ada').sessions.get('long')).messages).toBe(50)
})
