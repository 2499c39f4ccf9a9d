import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

/** Thursday, 26 November 2026, 10:00 UTC. */
const now = Date.UTC(2026, 10, 26, 10)

const said = [
  ['2025-04-11', 'The cat caught a mouse in the barn.'],
  ['2025-10-20', 'We mended the roof of the shed.'],
  ['2026-04-02', 'I baked rye bread with caraway.'],
  ['2026-11-20', 'The printer is jammed again.'],
  ['2026-11-25', 'The heating makes a noise.'],
] as const

async function opened(hemisphere: 'north' | 'south' = 'north') {
  const memory = await openForTest({ clock: new ManualClock(now), embeddingModel: false, languageModel: false })
  await memory.project('default').settings.set({ hemisphere })
  const ada = memory.for('ada')
  for (const [day, content] of said) await ada.append(day, { role: 'user', content, at: `${day}T10:00:00Z` })
  return ada
}

test.each([
  ['what did I say last spring', ['2026-04-02']],
  ['What did we talk about in the spring of 2025?', ['2025-04-11']],
  ['what did we talk about on 11 April 2025', ['2025-04-11']],
  ['What happened in October 2025?', ['2025-10-20']],
  ['what did I tell you on Friday?', ['2026-11-20']],
  ['what did I say this week', ['2026-11-25']],
  ['What did we discuss in 2026?', ['2026-11-25', '2026-11-20', '2026-04-02']],
  ['what did I say in July 2024', []],
])('%s', async (question, days) => {
  const ada = await opened()
  const { hits, confidence } = await ada.recall(question)
  expect(hits.map(({ session }) => session)).toEqual(days)
  expect(hits.every(({ score, signals }) => score === 1 && signals.map(({ name }) => name).join(' ') === 'date')).toBe(true)
  expect(confidence).toBe(days.length === 0 ? 0 : 1)
  const { text } = await ada.context({ query: question })
  for (const [day, content] of said) if (days.some((one) => one === day)) expect(text).toContain(content)
})

test('in the south, spring is in autumn', async () => {
  const ada = await opened('south')
  expect((await ada.recall('what did I say in the spring of 2025')).hits.map(({ session }) => session)).toEqual(['2025-10-20'])
})

test('a question that names a matter is no question for a time alone', async () => {
  const ada = await opened()
  expect((await ada.recall('what did I say about the cat in 2026?')).hits.map(({ session }) => session)).toEqual(['2025-04-11'])
  expect((await ada.recall('who baked bread last spring?')).hits[0]).toMatchObject({ session: '2026-04-02' })
})
