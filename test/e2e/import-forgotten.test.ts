import { expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const word = 'Zanzibar'
const begin = Date.UTC(2026, 5, 1)

interface World {
  readonly clock: ManualClock
  readonly memory: Memory
  readonly ada: UserMemory
}

/** Makes a memory with one message, and with all that a person can write beside messages. */
async function world(): Promise<World> {
  const clock = new ManualClock(begin)
  const layers = { bank: true, documents: true, notes: true }
  const memory = await openForTest({ layers, clock, embeddingModel: false, languageModel: false })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  await ada.append('talk', { role: 'user', content: `We sail to ${word} in June.` })
  await ada.sessions.rename('talk', `${word} trip`)
  await ada.facts.add({ subject: `${word} Pearl`, predicate: 'was sold to', object: 'Berta' })
  await ada.facts.merge(`${word} Pearl`, 'Berta')
  await ada.instructions.add(`Never name ${word}.`)
  await ada.blocks.set('habits', `Tea from ${word}.`)
  await ada.blocks.set('here', `Only ${word} today.`, { session: 'talk' })
  await ada.documents.edit('Trips', `- ${word} in June`)
  return { clock, memory, ada }
}

const linesOf = (from: { export(): AsyncIterable<string> }): Promise<string[]> => Array.fromAsync(from.export())

const told = async (from: UserMemory): Promise<string[]> =>
  (await linesOf(from)).flatMap((line) => (line.toLowerCase().includes(word.toLowerCase()) ? [String(JSON.parse(line).kind)] : []))

test('after a forget of everything an older export brings back nothing that a person added, unless it is asked for', async () => {
  const { ada, memory, clock } = await world()
  const [lines, before] = [await linesOf(ada), await told(ada)]
  clock.advance(60_000)
  await ada.forget({ all: true })
  clock.advance(60_000)
  expect(await ada.import(lines)).toMatchObject({ state: 'applied', forgotten: 8 })
  await memory.upkeep.run({ all: true })
  expect(await told(ada)).toEqual([])
  await ada.blocks.set('later', `A later word of ${word}.`)
  const since = await linesOf(ada)
  expect(await ada.import(since)).toMatchObject({ forgotten: 0, duplicates: { block: 1 } })
  await ada.blocks.delete('later')
  expect(await ada.import(since)).toMatchObject({ forgotten: 1 })
  expect(await ada.import(since, { restoreForgotten: true })).toMatchObject({ forgotten: 0, stored: { block: 1 } })
  await ada.blocks.delete('later')
  expect(await ada.import(lines, { restoreForgotten: true })).toMatchObject({ forgotten: 0 })
  expect(new Set(await told(ada))).toEqual(new Set(before))
})

test('after a forget of what was before a time an older export brings back no fact, name or instruction from before it', async () => {
  const { ada, clock } = await world()
  const until = clock.advance(60_000)
  await ada.facts.add({ subject: 'Kiosk', predicate: 'opens at', object: 'nine' })
  const lines = await linesOf(ada)
  await ada.forget({ before: until })
  const left = await told(ada)
  expect(left.filter((kind) => ['message', 'fact', 'name', 'instruction'].includes(kind))).toEqual([])
  expect(await ada.import(lines)).toMatchObject({ forgotten: 4, duplicates: { fact: 1 } })
  expect(await told(ada)).toEqual(left)
})

test('after a forget of a session an older export brings back neither its name nor its blocks', async () => {
  const { ada, clock } = await world()
  const lines = await linesOf(ada)
  clock.advance(60_000)
  await ada.forget({ session: 'talk' })
  const left = await told(ada)
  expect(await ada.import(lines)).toMatchObject({ forgotten: 3 })
  expect(await told(ada)).toEqual(left)
})

test('after the deletion of a project an older export brings back nothing that a person added to it', async () => {
  const { ada, memory, clock } = await world()
  const lines = await linesOf(ada)
  clock.advance(60_000)
  await memory.projects.delete('pier')
  expect(await ada.import(lines)).toMatchObject({ state: 'applied', forgotten: 8 })
  expect(await told(ada)).toEqual([])
})

test('a forget of one user leaves out nothing of another', async () => {
  const { ada, memory, clock } = await world()
  const lines = await linesOf(ada)
  clock.advance(60_000)
  await memory.for({ project: 'pier', user: 'bob' }).forget({ all: true })
  expect(await ada.import(lines)).toMatchObject({ forgotten: 0 })
})

test('an older export makes no session of which every message is forgotten; one that was empty on purpose comes', async () => {
  const { ada, clock } = await world()
  await ada.sessions.ensure('empty', { name: 'For later' })
  await ada.append('other', { role: 'user', content: 'The ferry is late.' })
  const lines = await linesOf(ada)
  clock.advance(60_000)
  await ada.forget({ session: 'talk' })
  const sessions = await Array.fromAsync(ada.sessions.list())
  expect(await ada.import(lines)).toMatchObject({ forgotten: 3, leftOut: { session: 1 } })
  expect(await Array.fromAsync(ada.sessions.list())).toEqual(sessions)
  await ada.forget({ all: true })
  const { stored, leftOut } = await ada.import(lines)
  expect([stored['session'], leftOut['session']]).toEqual([1, 2])
  expect((await Array.fromAsync(ada.sessions.list())).map(({ id }) => id)).toEqual(['empty'])
  expect(await ada.import(lines, { restoreForgotten: true })).toMatchObject({ stored: { message: 2, session: 2 }, forgotten: 0 })
})

test('what an agent noted in a forgotten session does not come back with an older export', async () => {
  const { ada, clock } = await world()
  const during = { session: 'talk' }
  await ada.facts.tools(during).memory_fact_add.execute({ predicate: 'likes', object: `cloves of ${word}` })
  await ada.instructions.tools(during).memory_instruction_add.execute({ text: `Praise ${word}.` })
  const lines = await linesOf(ada)
  clock.advance(60_000)
  await ada.forget({ session: 'talk' })
  const left = await told(ada)
  expect(await ada.import(lines)).toMatchObject({ forgotten: 5 })
  expect(await told(ada)).toEqual(left)
})

test('the lines of forgotten messages leave no trace in the files, while the store stays open', async () => {
  const store = newStore()
  await using memory = await openForTest({ store, embeddingModel: false, languageModel: false })
  const ada = memory.for('ada')
  const secret = 'quixoticharpsichordist'
  await ada.append('talk', [
    { role: 'user', content: `The ${secret} plays at nine.` },
    { role: 'user', content: 'The ferry leaves at ten.' },
  ])
  const lines = await linesOf(ada)
  await ada.forget({ messages: [(await ada.messages('talk'))[0]?.id ?? ''] })
  await memory.upkeep.run()
  expect(tracesOf([secret], store)).toEqual([])
  expect(await ada.import(lines)).toMatchObject({ forgotten: 1 })
  expect(tracesOf([secret], store)).toEqual([])
})
