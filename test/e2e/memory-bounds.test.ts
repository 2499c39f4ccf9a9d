import { expect, test } from 'vitest'
import { InvalidConfiguration, openMemory } from '../../packages/varve/src/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

const least = 64 * 1024

function unique(from: number, count: number) {
  return Array.from({ length: count }, (_, place) => ({
    role: 'user' as const,
    content: `ferry ${Array.from({ length: 12 }, (_unused, word) => `w${from + place}x${word}`).join(' ')}`,
  }))
}

test('over the index’s bound recall says that it is partial, and still finds the newest', async () => {
  const store = newStore()
  const memory = await openForTest({ store, segmentBytes: least })
  const ada = memory.for('ada')
  await ada.append('talk', unique(0, 1_500))
  expect((await ada.recall('w1499x7')).hits[0]?.seq).toBe(1_500)
  const oldest = await ada.recall('w0x7')
  expect(oldest).toEqual({ hits: [], confidence: 0, degraded: [expect.stringMatching(/^partial index: the newest \d+ of 1500 messages/)] })
  await ada.append('talk', unique(1_500, 1))
  expect((await ada.recall('w1500x3')).hits[0]?.seq).toBe(1_501)
  expect((await ada.context({ query: 'w1500x3' })).degraded).toEqual([expect.stringMatching(/partial/)])
  const roomy = await openForTest({ store })
  expect((await roomy.for('ada').recall('w0x7')).hits[0]?.seq).toBe(1)
  expect((await roomy.for('ada').recall('w0x7')).degraded).toEqual([])
})

test('one message larger than the whole bound is found all the same', async () => {
  const ada = (await openForTest({ segmentBytes: least })).for('ada')
  await ada.append('talk', unique(0, 10))
  await ada.append('talk', { role: 'user', content: Array.from({ length: 12_000 }, (_, word) => `big${word}`).join(' ') })
  expect((await ada.recall('big11999')).hits[0]?.seq).toBe(11)
})

test('a bound that is none is refused, as is any other option that makes no sense', async () => {
  for (const options of [
    { segmentBytes: 0 },
    { segmentBytes: 1.5 },
    { segmentBytes: '1' },
    { store: '' },
    { store: 7 },
    { store: 'postgres://x?varve_clock=mine' },
    { upkeep: 'never' },
    { isolation: 'loud' },
    { stor: 'x' },
  ]) {
    expect(await rejection(openMemory(options as never))).toBeInstanceOf(InvalidConfiguration)
  }
})
