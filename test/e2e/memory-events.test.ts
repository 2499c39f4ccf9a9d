import { expect, test } from 'vitest'
import type { MemoryEvent } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const line = { role: 'user', content: 'the secret ferry leaves at nine' } as const

test('what happens is told in order, with when and whose, and never a word of a message', async () => {
  const clock = new ManualClock()
  const memory = await openForTest({ clock })
  const events = memory.events()
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const {
    messages: [stored],
  } = await ada.append('talk', [
    { ...line, id: 'x' },
    { ...line, id: 'x' },
  ])
  clock.advance(5)
  await ada.recall('ferry')
  await ada.context({ session: 'talk', query: 'ferry' })
  await ada.replace(stored?.id ?? '', 'another secret')
  await ada.forget({ all: true })
  await memory.close()
  const heard: MemoryEvent[] = []
  for await (const event of events) heard.push(event)
  const who = { project: 'acme', user: 'ada' }
  expect(heard).toEqual([
    { type: 'appended', at: clock.now() - 5, ...who, session: 'talk', messages: 1, duplicates: 1 },
    { type: 'recalled', at: clock.now(), ...who, hits: 1, ms: expect.any(Number) },
    { type: 'context', at: clock.now(), ...who, id: expect.any(String), tokens: expect.any(Number), ms: expect.any(Number) },
    { type: 'replaced', at: clock.now(), ...who, message: stored?.id },
    { type: 'erased', at: clock.now(), receipts: 1 },
    { type: 'forgotten', at: clock.now(), ...who, receipt: expect.any(String), counts: { message: 1, session: 1, context: 1 } },
    { type: 'erased', at: clock.now(), receipts: 1 },
  ])
  expect(JSON.stringify(heard)).not.toMatch(/secret|ferry/)
})

// requirement: P5.5
test('a listener that does not read holds nothing up and keeps the newest thousand; another hears them all', async () => {
  const memory = await openForTest()
  const [slow, quick] = [memory.events(), memory.events()]
  const ada = memory.for('ada')
  let heard = 0
  const reading = (async () => {
    for await (const event of quick) if ((heard += 1) === 1_100 || event.type !== 'recalled') break
  })()
  for (let batch = 0; batch < 11; batch += 1) await Promise.all(Array.from({ length: 100 }, () => ada.recall(`question ${batch}`)))
  await reading
  expect(heard).toBe(1_100)
  await ada.append('talk', line)
  await memory.close()
  const kept: MemoryEvent[] = []
  for await (const event of slow) kept.push(event)
  expect(kept).toHaveLength(1_000)
  expect(kept.at(-1)?.type).toBe('appended')
})

test('leaving the loop ends the listening; other loops go on', async () => {
  const memory = await openForTest()
  const [left, other] = [memory.events(), memory.events()]
  const ada = memory.for('ada')
  await ada.append('talk', line)
  for await (const event of left) {
    expect(event.type).toBe('appended')
    break
  }
  await ada.recall('ferry')
  expect(await left.next()).toEqual({ value: undefined, done: true })
  expect((await other.next()).value).toMatchObject({ type: 'appended' })
  expect((await other.next()).value).toMatchObject({ type: 'recalled' })
})

test('closing ends a loop that waits, and one that begins later', async () => {
  const memory = await openForTest()
  const waiting = memory.events().next()
  await memory.close()
  expect(await waiting).toEqual({ value: undefined, done: true })
  for await (const event of memory.events()) throw new Error(`heard ${event.type} after the close`)
})

test('the counters count what was done', async () => {
  const memory = await openForTest()
  const ada = memory.for('ada')
  const { messages } = await ada.append('talk', [
    { ...line, id: 'a' },
    { ...line, id: 'b' },
    { ...line, id: 'a' },
  ])
  await ada.recall('ferry')
  await ada.context({ query: 'ferry' })
  await ada.replace(messages[0]?.id ?? '', 'new words')
  await ada.forget({ messages: [messages[1]?.id ?? ''] })
  const counters = memory.counters()
  expect(counters).toEqual({
    appended: 2,
    duplicates: 1,
    replaced: 1,
    recalls: 1,
    contexts: 1,
    forgotten: 1,
    forgottenBefore: 0,
    erased: 2,
    embedded: 0,
    distilled: 0,
    digested: 0,
    factsRefused: 0,
    noted: 0,
    notesRefused: 0,
    documented: 0,
    modelCalls: 0,
    failedOpen: 0,
    warnings: 0,
    threadsRestarted: 0,
  })
  await ada.recall('ferry')
  expect(counters.recalls).toBe(1)
})
