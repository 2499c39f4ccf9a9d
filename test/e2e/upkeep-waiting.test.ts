import { expect, test } from 'vitest'
import { InvalidOption, type MessageInput, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { day, minute, settled, talk } from '../fixtures/distil/talk.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

const said = (content: string, at: number): MessageInput => ({ role: 'user', content, at })
const homes = async (ada: UserMemory) => (await ada.facts.query({ predicate: 'lives in' })).map(({ object }) => object)

async function opened() {
  const clock = new ManualClock()
  const memory = await openForTest({ clock, embeddingModel: false, languageModel: false })
  return { clock, memory, ada: memory.for({ project: 'acme', user: 'ada' }) }
}

test('old talk that comes in now is read by the first run, since it has settled long ago', async () => {
  const { clock, memory, ada } = await opened()
  for (const [place, town] of ['Oslo', 'Bergen', 'Tromsø'].entries())
    await ada.append(`talk-${place}`, said(`I live in ${town} now.`, clock.now() - (30 - place) * day))
  expect((await memory.upkeep.status()).waiting).toEqual({ sessions: 0 })
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 3, settled: true, waiting: { sessions: 0 } })
  expect(await homes(ada)).toEqual(['Tromsø'])
})

test('talk of now waits for quiet, a run says how much and until when, and one for all reads it', async () => {
  const { clock, memory, ada } = await opened()
  await ada.append('first', said('My name is Ada Wind.', clock.now()))
  clock.advance(2 * minute)
  await ada.append('second', said('I live in Oslo.', clock.now()))
  const waiting = { sessions: 2, until: clock.now() + 10 * minute }
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0, settled: true, waiting })
  expect((await memory.upkeep.status()).waiting).toEqual(waiting)
  expect(await memory.upkeep.run({ all: true })).toMatchObject({ distilled: 2, settled: true, waiting: { sessions: 0 } })
  expect(await homes(ada)).toEqual(['Oslo'])
})

test('a session waits no longer than it says', async () => {
  const { clock, memory, ada } = await opened()
  await ada.append('talk', said('I live in Oslo.', clock.now()))
  const { waiting } = await memory.upkeep.run()
  clock.set((waiting.until ?? 0) - 1)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0, waiting })
  clock.set(waiting.until ?? 0)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1, waiting: { sessions: 0 } })
})

test('what waits is counted where a run is bound to', async () => {
  const { clock, memory, ada } = await opened()
  const ben = memory.for({ project: 'acme', user: 'ben' })
  for (const session of ['one', 'two']) await ada.append(session, said('I live in Oslo.', clock.now()))
  await ben.append('one', said('I live in Rome.', clock.now()))
  const waitingOf = async (bounds: object) => (await memory.upkeep.run({ project: 'acme', ...bounds })).waiting.sessions
  expect([
    await waitingOf({}),
    await waitingOf({ user: 'ada' }),
    await waitingOf({ user: 'ada', session: 'two' }),
    await waitingOf({ user: 'ada', session: 'none' }),
    await waitingOf({ user: 'cleo' }),
  ]).toEqual([3, 2, 1, 0, 0])
  expect(await memory.upkeep.run({ project: 'acme', user: 'ada', session: 'two', all: true })).toMatchObject({
    distilled: 1,
    waiting: { sessions: 0 },
  })
  expect(await waitingOf({})).toBe(2)
})

test('old talk that comes message by message is no call to a model each, though a run follows each', async () => {
  const { memory, clock, server } = await distilling({ modelWindow: 32_768, layers: { gists: true } })
  for (const [place, message] of talk('tern', 15).entries()) {
    await memory.for('ada').append('talk', { ...message, at: clock.now() - day + place * minute })
    clock.advance(1_000)
    await memory.upkeep.run()
  }
  expect(server.count).toBe(1)
  clock.advance(settled)
  await memory.upkeep.run()
  expect(server.count).toBe(2)
})

test('in the background old talk waits for quiet as well: it may still be coming in', async () => {
  const { memory, clock, server } = await distilling({ modelWindow: 32_768, layers: { gists: true }, upkeep: 'background' })
  const ada = memory.for('ada')
  await ada.append(
    'old',
    talk('tern', 2).map((message) => ({ ...message, at: clock.now() - day })),
  )
  await ada.append('long', talk('gull', 20))
  await expect.poll(() => ada.gists.pending('long'), { timeout: 10_000 }).toBe(0)
  expect(await ada.gists.pending('old')).toBe(2)
  expect(server.requests.some(({ prompt }) => prompt.includes('tern'))).toBe(false)
})

test('all is yes or no', async () => {
  const { memory } = await opened()
  expect(await rejection(memory.upkeep.run(JSON.parse('{ "all": "yes" }')))).toBeInstanceOf(InvalidOption)
})
