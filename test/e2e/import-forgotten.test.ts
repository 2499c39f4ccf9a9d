import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { tracesOf } from '../fixtures/memory/canaries.ts'
import { importInSteps } from '../fixtures/memory/import-steps.ts'
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

test('a forgotten message does not come back from lines that repeat it, nor replaced words in the files', async () => {
  const store = newStore()
  await using memory = await openForTest({ store, embeddingModel: false, languageModel: false })
  const ada = memory.for('ada')
  const [secret, old] = ['quixoticharpsichordist', 'bewilderedcontrabassoon']
  await ada.append('talk', [
    { role: 'user', content: `The ${secret} plays at nine.`, id: 'm1' },
    { role: 'user', content: `The ${old} plays at ten.` },
  ])
  const lines = await linesOf(ada)
  const [first, second] = await ada.messages('talk')
  await ada.forget({ messages: [first?.id ?? ''] })
  await ada.replace(second?.id ?? '', 'Nobody plays at ten.')
  await memory.upkeep.run()
  const twice = lines.flatMap((line) => (line.includes(secret) ? [line, line.replace('"seq":1', '"seq":9')] : [line]))
  expect(await ada.import(twice, { accept: 'changed' })).toMatchObject({ forgotten: 2 })
  expect((await ada.recall(secret)).hits).toEqual([])
  expect(tracesOf([secret, old], store)).toEqual([])
  await expect(ada.import(lines.slice(0, -1))).rejects.toMatchObject({ code: 'EXPORT_BROKEN' })
  expect(tracesOf([secret, old], store)).toEqual([])
})

/** Imports a session that was forgotten, and does something before the import ends. */
async function importedWhile(act: (ada: UserMemory) => Promise<unknown>): Promise<UserMemory> {
  const store = newStore()
  const memory = await openForTest({ store, layers: { gists: true }, embeddingModel: false, languageModel: false })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await ada.append('gone', { role: 'user', content: 'The walrus sings.' })
  await ada.append('kept', { role: 'user', content: 'The ferry leaves.' })
  await ada.sessions.rename('gone', 'Walrus plan')
  const lines = await Array.fromAsync(ada.export({ signingKey }))
  await ada.forget({ session: 'gone' })
  let applies = 0
  const whole = importInSteps(store, lines.join(''), publicKey.export({ type: 'spki', format: 'pem' }).toString(), async (name) => {
    applies += Number(name === 'transfer.apply')
    if (name === 'transfer.apply' && applies === 2) await act(ada)
  })
  // A forget takes the import away.
  await Promise.allSettled([whole])
  expect(applies).toBeGreaterThan(1)
  return ada
}

test.each<[string, (ada: UserMemory) => Promise<unknown>]>([
  ['ensures', (ada) => ada.sessions.ensure('gone')],
  ['gives metadata to', (ada) => ada.sessions.ensure('gone', { metadata: { pier: 4 } })],
  ['shares', (ada) => ada.sessions.share('gone', true)],
  ['writes a gist of', (ada) => ada.gists.write('gone', 'Nothing is left of it.')],
])('a session that somebody %s while an import brings it stays, though all its messages were forgotten', async (_, act) => {
  const ada = await importedWhile(act)
  expect((await ada.sessions.list()).map(({ id }) => id).toSorted()).toEqual(['gone', 'kept'])
})

test('a forget that takes an import away takes the sessions that it made of forgotten messages', async () => {
  const ada = await importedWhile(async (one) => {
    const [kept] = await one.messages('kept')
    await one.forget({ messages: [kept?.id ?? ''] })
  })
  expect((await ada.sessions.list()).map(({ id }) => id)).not.toContain('gone')
})
