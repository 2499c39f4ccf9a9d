import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const minute = 60_000

test('the history of what came back a thousand times tells of each time, all of them with the same sources', async () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const ada = (await openForTest({ clock, languageModel: false, embeddingModel: false, isolation: 'silent' })).for('ada')
  const said = Array.from({ length: 2_000 }, (_, place) => ({
    role: 'user' as const,
    content: `I live in ${place % 2 === 0 ? 'Oslo' : 'Rome'}.`,
    at: Date.UTC(2026, 0, 1) + place * minute,
  }))
  await ada.append('talk', said)
  await ada.distil('talk')
  const history = await ada.facts.history({ subject: 'I', predicate: 'lives in' })
  expect(history).toHaveLength(2_000)
  expect(history.every(({ sources }) => sources.length === 1_000)).toBe(true)
  // A list for each time would be two million sources: one object has one list of sources.
  expect(new Set(history.map(({ sources }) => sources)).size).toBe(2)
})

test('what was corrected again and again, each time to something else, is told without reading all of it for each', async () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const ada = (await openForTest({ clock, languageModel: false, embeddingModel: false, isolation: 'silent' })).for('ada')
  for (let place = 0; place < 450; place += 1) {
    clock.advance(minute)
    const { id } = await ada.facts.add({ predicate: 'likes', object: 'figs' })
    await ada.facts.correct(id, { object: `fruit ${place}` })
  }
  const start = process.cpuUsage()
  const told = await ada.facts.list({ limit: 1_000 })
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(500)
  expect(new Set(told.map(({ object }) => object)).size).toBe(450)
  expect(told).toHaveLength(450)
})

test('what was put right a thousand times goes with its message, and is looked through once', async () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const ada = (await openForTest({ clock, languageModel: false, embeddingModel: false, isolation: 'silent' })).for('ada')
  const {
    messages: [said],
  } = await ada.append('talk', { role: 'user', content: 'The status is 0.' })
  let fact = await ada.facts.add({ subject: 'ferry', predicate: 'status', object: 'state 0', sources: [{ message: said?.id ?? '' }] })
  for (let place = 1; place < 1_000; place += 1) {
    clock.advance(minute)
    fact = await ada.facts.correct(fact.id, { object: `state ${place}` })
  }
  const start = process.cpuUsage()
  expect((await ada.forget({ messages: [said?.id ?? ''] })).counts).toMatchObject({ message: 1, fact: 1_000 })
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(500)
  expect(await ada.facts.history({ subject: 'ferry' })).toEqual([])
})
