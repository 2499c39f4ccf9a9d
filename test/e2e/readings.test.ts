import { expect, test } from 'vitest'
import { distilling } from '../fixtures/distil/open.ts'
import { day, hour, settled, talk } from '../fixtures/distil/talk.ts'
import { about, documentModel, messagesOf as documented } from '../fixtures/documents/model.ts'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { answerTo, handed, hosted, hostName, readAll } from '../fixtures/readings/host.ts'
import { holds, user } from '../fixtures/scenarios/telling.ts'

const said = [
  user('I live in Porto.', holds('', 'lives in', 'Porto')),
  user('My sister Nuria likes figs.', holds('Nuria', 'likes', 'figs')),
]
const reader = readerOf(said)

const objects = (facts: readonly { readonly object: string }[]): string[] => facts.map(({ object }) => object).toSorted()

/** A user whose talk is settled, in a project whose host reads. */
async function told(...options: Parameters<typeof hosted>) {
  const it = await hosted(...options)
  await it.ada.append('talk', messagesOf(said))
  it.clock.advance(settled)
  return it
}

test('readings are off unless the project switches them on, and next says so', async () => {
  const { ada, memory } = await told()
  await memory.project('default').settings.set({ readings: null })
  expect(await ada.readings.next()).toEqual({ none: 'off', about: expect.stringContaining('`readings`') })
  expect(await memory.ledger()).toEqual([])
})

test('what is due is handed out, and the answer is stored as the host’s model wrote it', async () => {
  const { ada } = await told()
  const reading = await handed(ada)
  expect(reading).toMatchObject({ task: 'distil', layers: ['gists', 'facts'] })
  expect(reading.prompt).toContain('I live in Porto.')
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stored' })
  expect(await ada.gists.get('talk')).toMatchObject({ writer: hostName, text: expect.stringContaining('Porto') })
  const facts = await ada.facts.query({})
  expect(objects(facts)).toEqual(['Porto', 'figs'])
  expect(facts.every(({ writer }) => writer === hostName)).toBe(true)
  expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
})

test('the newest session is handed out first, and of a long one the oldest part', async () => {
  const { ada, clock } = await told()
  await ada.append('long', talk('tern', 120))
  clock.advance(settled)
  const { prompt } = await handed(ada)
  expect(prompt).toContain('tern-1 ')
  expect(prompt).not.toMatch(/tern-120 |Porto/)
  expect((await handed(ada)).prompt).toContain('Porto')
})

test('what upkeep wrote meanwhile is provisional, and the answer takes its place', async () => {
  const { ada, memory, clock } = await told()
  await memory.upkeep.run()
  expect(await ada.gists.get('talk')).toMatchObject({ writer: 'extractive', provisional: true })
  expect((await memory.upkeep.status()).provisional).toMatchObject({ gists: 1, facts: 1 })
  clock.advance(settled)
  const { done } = await readAll(ada, reader)
  expect(done.map(({ outcome }) => outcome)).toEqual(['stored'])
  expect(await ada.gists.get('talk')).toMatchObject({ writer: hostName })
  expect((await memory.upkeep.status()).provisional).toMatchObject({ gists: 0, facts: 0 })
})

test('an answer in words is read as other models’ are, and one without JSON counts as wrong', async () => {
  const { ada, memory } = await told()
  const first = await handed(ada)
  const again = await ada.readings.done(first.id, 'I would rather not.')
  expect(again).toMatchObject({ outcome: 'again', reading: { layers: ['gists', 'facts'] } })
  expect(again.about).toMatch(/^The usable parts of the answer are stored, if it has any\./)
  expect(again.reading?.prompt).toContain('could not be used')
  const answer = String(await answerTo(again.reading ?? first, reader))
  expect(await ada.readings.done(again.reading?.id ?? '', `Here it is:\n\`\`\`json\n${answer.slice(0, -1)},}\n\`\`\``)).toMatchObject({
    outcome: 'stored',
  })
  expect(objects(await ada.facts.query({}))).toEqual(['Porto', 'figs'])
  expect((await memory.ledger()).map(({ outcome }) => outcome).toSorted()).toEqual(['answered', 'unreadable'])
})

test('a bad part is asked for once more by itself; after a second bad answer what is written without a model stays', async () => {
  const { ada, memory, clock } = await told()
  const first = await handed(ada)
  const good = await answerTo(first, reader)
  const { outcome, reading: again } = await ada.readings.done(first.id, { ...JSON.parse(String(good)), facts: 'none' })
  expect(outcome).toBe('again')
  expect(again).toMatchObject({ layers: ['facts'], prompt: expect.stringContaining('could not be used') })
  expect(again?.prompt).toContain('I live in Porto.')
  expect(await ada.readings.done(again?.id ?? '', { facts: 'still none' })).toMatchObject({ outcome: 'unused' })
  expect(await ada.gists.get('talk')).toMatchObject({ writer: hostName })
  expect((await ada.facts.query({})).every(({ writer }) => writer === 'extractive')).toBe(true)
  expect((await memory.upkeep.status()).provisional).toMatchObject({ gists: 0, facts: 1 })
  // It is put off, as after a configured model's bad answer, and then handed out again.
  expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
  clock.advance(hour)
  expect(await handed(ada)).toMatchObject({ layers: ['facts'] })
})

test('an answer that is too long, or none at all, is refused before anything is done', async () => {
  const { ada } = await told()
  const reading = await handed(ada)
  for (const answer of ['x'.repeat(300_000), { gist: 'x'.repeat(300_000) }])
    expect(await rejection(ada.readings.done(reading.id, answer))).toMatchObject({ code: 'OPTION_INVALID', option: 'answer' })
  expect(await rejection(Reflect.apply(ada.readings.done, ada.readings, [reading.id, 7]))).toMatchObject({ code: 'OPTION_INVALID' })
  expect(await rejection(Reflect.apply(ada.readings.done, ada.readings, [reading.id, [1]]))).toMatchObject({ code: 'OPTION_INVALID' })
  let deep: unknown = []
  for (let level = 0; level < 20_000; level += 1) deep = [deep]
  const toJSON = (): never => {
    throw new TypeError('words of the host')
  }
  for (const answer of [{ gist: deep }, { gist: { toJSON } }, { gist: [1n] }])
    expect(await rejection(Reflect.apply(ada.readings.done, ada.readings, [reading.id, answer]))).toMatchObject({ code: 'OPTION_INVALID' })
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stored' })
})

test('the writer is always the host’s: no name of a model passes for a person or for Varve', async () => {
  const { ada } = await told()
  for (const model of ['', 'person\n', '../x y', 'x'.repeat(61), '‮x'])
    expect(await rejection(ada.readings.next({ model }))).toMatchObject({ code: 'OPTION_INVALID', option: 'model' })
  const { reading } = await ada.readings.next({ model: 'person' })
  await ada.readings.done(reading?.id ?? '', reading === undefined ? '' : await answerTo(reading, reader))
  expect((await ada.gists.get('talk'))?.writer).toBe('host:person')
  expect((await ada.facts.query({})).map(({ writer }) => writer)).toEqual(['host:person', 'host:person'])
})

test('each reading is in the ledger with the host’s model, and the project’s ceiling holds for it', async () => {
  const { ada, memory, clock } = await told()
  const reading = await handed(ada)
  expect(await memory.ledger()).toMatchObject([
    { task: 'reading-distil', model: hostName, layers: reading.layers, inputTokens: reading.tokens, outputTokens: 0, outcome: 'pending' },
  ])
  await ada.readings.done(reading.id, await answerTo(reading, reader))
  const [call] = await memory.ledger()
  expect(call).toMatchObject({ outcome: 'answered', inputTokens: reading.tokens })
  expect(call?.outputTokens).toBeGreaterThan(20)
  await memory.project('default').settings.set({ ceiling: { calls: 1 } })
  await ada.append('more', messagesOf(said))
  clock.advance(settled)
  expect(await ada.readings.next()).toMatchObject({ none: 'ceiling' })
  await memory.project('default').settings.set({ ceiling: { tokens: reading.tokens } })
  expect(await ada.readings.next()).toMatchObject({ none: 'ceiling' })
  await memory.project('default').settings.set({ ceiling: null })
  await handed(ada)
})

test('a session and a user have their bounds of a day, retries included; another user has a day of their own', async () => {
  const { ada, memory, clock } = await told({}, { perSession: 2, perDay: 3 })
  const first = await handed(ada)
  const again = await ada.readings.done(first.id, {})
  expect(again.outcome).toBe('again')
  expect((await ada.readings.done(again.reading?.id ?? '', {})).outcome).toBe('unused')
  clock.advance(hour)
  expect(await ada.readings.next()).toMatchObject({ none: 'session', about: expect.stringContaining('perSession') })
  for (const name of ['two', 'three']) await ada.append(name, messagesOf(said))
  clock.advance(settled)
  await handed(ada)
  expect(await ada.readings.next()).toMatchObject({ none: 'day', about: expect.stringContaining('perDay') })
  const bob = memory.for('bob')
  await bob.append('talk', messagesOf(said))
  clock.advance(settled)
  await handed(bob)
  clock.advance(day)
  await handed(ada)
})

test('a retry that the bounds refuse leaves the part to a later reading', async () => {
  const { ada, clock } = await told({}, { perSession: 1, perDay: 10 })
  const first = await handed(ada)
  expect(await ada.readings.done(first.id, {})).toMatchObject({ outcome: 'unused' })
  clock.advance(day)
  const { done } = await readAll(ada, reader)
  expect(done.map(({ outcome }) => outcome)).toEqual(['stored'])
})

test('a configured model goes first: the host is handed nothing, also while the model is down', async () => {
  const { memory, clock, play } = await distilling({ embeddingModel: false, layers: { gists: true, facts: true } })
  await memory.project('default').settings.set({ readings: {} })
  const ada = memory.for('ada')
  await ada.append('talk', messagesOf(said))
  clock.advance(settled)
  expect(await ada.readings.next()).toMatchObject({ none: 'model' })
  play(() => ({ status: 400, text: 'out of order' }))
  await memory.upkeep.run()
  expect(await ada.readings.next()).toMatchObject({ none: 'model' })
})

test('facts wait a day for the host to work them into documents; then bullets are written', async () => {
  const ferry = [about('Ferry', 'The ferry leaves at nine.')]
  const { ada, memory, clock } = await hosted({ layers: { gists: false, facts: false, documents: true } })
  await ada.append('talk', documented(ferry))
  clock.advance(settled)
  const first = await handed(ada)
  await ada.readings.done(first.id, await answerTo(first, documentModel(ferry)))
  expect((await memory.upkeep.run()).documented).toBe(0)
  expect(await handed(ada)).toMatchObject({ task: 'edit', layers: ['documents'] })
  clock.advance(day)
  expect((await memory.upkeep.run()).documented).toBe(1)
  expect((await ada.documents.read('Ferry'))?.content).toContain('The ferry leaves at nine.')
  expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
})

test('what is asked for now is written now, whoever may read', async () => {
  const ferry = [about('Ferry', 'I like the ferry at nine.')]
  const { ada } = await hosted({ layers: { gists: false, facts: false, documents: true } })
  await ada.append('talk', documented(ferry))
  expect(await ada.documents.memorize('talk')).toMatchObject({ waiting: 0 })
})
