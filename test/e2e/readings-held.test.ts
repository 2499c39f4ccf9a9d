import { expect, test } from 'vitest'
import { connect } from '../../packages/varve/src/client/index.ts'
import type { DueReading, NextReading } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, minute, settled, talk } from '../fixtures/distil/talk.ts'
import { copied } from '../fixtures/distil/writer.ts'
import { about, documentModel, messagesOf as documented } from '../fixtures/documents/model.ts'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { answerTo, handed, hosted, hostName, readAll } from '../fixtures/readings/host.ts'
import { holds, user } from '../fixtures/scenarios/telling.ts'
import { served } from '../fixtures/wire/served.ts'
import { OtherProcess } from './other-process.ts'

const said = [
  user('I live in Porto.', holds('', 'lives in', 'Porto')),
  user('My sister Nuria likes figs.', holds('Nuria', 'likes', 'figs')),
]
const reader = readerOf(said)
const lease = 5 * minute + 1

/** A user whose talk is settled, in a project whose host reads. */
async function told(...options: Parameters<typeof hosted>) {
  const it = await hosted(...options)
  await it.ada.append('talk', messagesOf(said))
  it.clock.advance(settled)
  return it
}

test('a lease that runs out: another agent gets the span, and the late answer is refused', async () => {
  const { ada, memory, clock } = await told()
  const first = await handed(ada)
  expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
  clock.advance(lease)
  const second = await handed(ada)
  expect([second.prompt, second.id === first.id]).toEqual([first.prompt, false])
  expect(await ada.readings.done(first.id, await answerTo(first, reader))).toMatchObject({ outcome: 'stale' })
  expect(await ada.gists.get('talk')).toBeUndefined()
  expect(await ada.readings.done(second.id, await answerTo(second, reader))).toMatchObject({ outcome: 'stored' })
  expect(await ada.readings.done(second.id, '{}')).toMatchObject({ outcome: 'stale' })
  expect((await memory.ledger()).map(({ outcome }) => outcome).toSorted()).toEqual(['answered', 'late'])
})

test('a late answer that nobody took the span from is stored, if nothing changed', async () => {
  const { ada, clock } = await told()
  const reading = await handed(ada)
  clock.advance(lease)
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stored' })
})

test('a lease holds up nobody else: upkeep writes meanwhile, and a caller who wants the session read does not wait', async () => {
  const { ada, memory } = await told()
  const reading = await handed(ada)
  await ada.distil('talk')
  expect(await ada.gists.get('talk')).toMatchObject({ writer: 'extractive', provisional: true })
  expect((await memory.upkeep.run()).settled).toBe(true)
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stored' })
  expect(await ada.gists.get('talk')).toMatchObject({ writer: hostName })
})

test('two agents at once: each gets a session of its own, and their answers do not make each other’s stale', async () => {
  const { ada, memory, clock } = await told()
  await ada.append('other', messagesOf(said))
  clock.advance(settled)
  const again = memory.for('ada')
  const next = await Promise.all([ada, again, ada].map((one) => one.readings.next({ model: 'scripted' })))
  const readings = next.flatMap(({ reading }) => reading ?? [])
  expect(readings).toHaveLength(2)
  const done = await Promise.all(readings.map(async (reading) => ada.readings.done(reading.id, await answerTo(reading, reader))))
  expect(done.map(({ outcome }) => outcome)).toEqual(['stored', 'stored'])
  expect((await ada.gists.list()).map(({ writer }) => writer)).toEqual([hostName, hostName])
})

test('the same answer given twice at once is stored once', async () => {
  const { ada, memory } = await told()
  const reading = await handed(ada)
  const answer = await answerTo(reading, reader)
  const done = await Promise.all([ada.readings.done(reading.id, answer), ada.readings.done(reading.id, answer)])
  expect(done.map(({ outcome }) => outcome).toSorted()).toEqual(['stale', 'stored'])
  expect(await ada.facts.query({})).toHaveLength(2)
  expect((await memory.ledger()).map(({ outcome }) => outcome)).toEqual(['answered'])
})

test('two processes on one file: each gets a session of its own, and one finishes what the other was handed', async () => {
  const store = newStore()
  const memory = await openForTest({ store, embeddingModel: false })
  await memory.project('pier').settings.set({ readings: {} })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  for (const name of ['tern', 'gull'])
    await ada.append(
      name,
      talk(name, 3).map((one) => ({ ...one, at: '2026-01-05T10:00:00Z' })),
    )
  const others = await Promise.all([OtherProcess.start(store), OtherProcess.start(store)])
  const next = await Promise.all(others.map((other) => other.call<NextReading>(['readings', 'next'], { model: 'scripted' })))
  const readings = next.flatMap(({ reading }) => reading ?? [])
  expect(new Set(readings.map(({ prompt }) => /tern|gull/.exec(prompt)?.[0]))).toEqual(new Set(['tern', 'gull']))
  expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
  await others[0]?.kill()
  for (const reading of readings)
    expect(await ada.readings.done(reading.id, await answerTo(reading, copied))).toMatchObject({ outcome: 'stored' })
  expect((await ada.gists.list()).map(({ writer }) => writer)).toEqual([hostName, hostName])
})

test('a restart between next and done changes nothing', async () => {
  const store = newStore()
  const clock = new ManualClock()
  const options = { store, clock, embeddingModel: false as const, layers: { gists: true, facts: true } }
  const before = await openForTest(options)
  await before.project('default').settings.set({ readings: {} })
  await before.for('ada').append('talk', messagesOf(said))
  clock.advance(settled)
  const reading = await handed(before.for('ada'))
  await before.close()
  const ada = (await openForTest(options)).for('ada')
  expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stored' })
})

test('a forget between next and done: the answer is refused, and nothing comes back', async () => {
  const { ada } = await told()
  const [first] = await ada.messages('talk')
  const reading = await handed(ada)
  const answer = await answerTo(reading, reader)
  await ada.forget({ messages: [first?.id ?? ''] })
  expect(await ada.readings.done(reading.id, answer)).toMatchObject({ outcome: 'stale' })
  const { done } = await readAll(ada, reader)
  expect(done.map(({ outcome }) => outcome)).toEqual(['stored'])
  expect(JSON.stringify([await ada.gists.list(), await ada.facts.query({}), (await ada.context({ query: 'where' })).text])).not.toContain(
    'Porto',
  )
})

test('a session that is deleted between next and done takes its answer with it, and its lease', async () => {
  const { ada, memory } = await told()
  const reading = await handed(ada)
  await ada.sessions.delete('talk')
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stale' })
  expect((await memory.ledger()).map(({ outcome }) => outcome)).toEqual(['late'])
  await ada.append('talk', messagesOf(said))
  expect(await ada.gists.list()).toEqual([])
})

test('an edited message between next and done makes the answer stale', async () => {
  const { ada } = await told()
  const [first] = await ada.messages('talk')
  const reading = await handed(ada)
  await ada.replace(first?.id ?? '', 'I live in Faro.')
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stale' })
  expect(await ada.facts.query({})).toEqual([])
})

test('an append between next and done: the answer is stored, and the new messages wait for the next reading', async () => {
  const { ada, clock } = await told()
  const reading = await handed(ada)
  await ada.append('talk', talk('tern', 2))
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stored' })
  expect(await ada.gists.get('talk')).toMatchObject({ writer: hostName, lineage: [{ from: 1, to: 2 }] })
  clock.advance(settled)
  const next = await handed(ada)
  expect(next.prompt).toContain('Barge tern-2')
  expect(await ada.readings.done(next.id, await answerTo(next, copied))).toMatchObject({ outcome: 'stored' })
  expect(await ada.gists.get('talk')).toMatchObject({ writer: hostName, lineage: [{ from: 1, to: 4 }] })
})

test('a document that a person edits between next and done keeps the edit, and the facts wait', async () => {
  const ferry = [about('Ferry', 'The ferry leaves at nine.')]
  const { ada, clock } = await hosted({ layers: { gists: false, facts: false, documents: true } })
  await ada.append('talk', documented(ferry))
  clock.advance(settled)
  const first = await handed(ada)
  await ada.readings.done(first.id, await answerTo(first, documentModel(ferry)))
  const edit = await handed(ada)
  await ada.documents.edit('Ferry', '- The ferry is mine.')
  expect(await ada.readings.done(edit.id, await answerTo(edit, documentModel(ferry)))).toMatchObject({ outcome: 'stale' })
  expect((await ada.documents.read('Ferry'))?.content).toBe('- The ferry is mine.')
  expect((await readAll(ada, documentModel(ferry))).done.map(({ outcome }) => outcome)).toEqual(['stored'])
  expect((await ada.documents.read('Ferry'))?.content).toMatch(/mine\.[\s\S]*leaves at nine/)
})

test('readings that are switched off between next and done take no answer', async () => {
  const { ada, memory } = await told()
  const reading = await handed(ada)
  await memory.project('default').settings.set({ readings: null })
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'off' })
  expect(await ada.gists.get('talk')).toBeUndefined()
})

test('a reading is its user’s: nobody else is handed it, and nobody else can finish it', async () => {
  const { ada, memory } = await told({ isolation: 'silent' })
  const reading = await handed(ada)
  await memory.project('acme').settings.set({ readings: {} })
  for (const scope of ['bob', { project: 'acme', user: 'ada' }, { project: 'default' }] as const) {
    const stranger = memory.for(scope)
    await stranger.append('mine', talk('gull', 2))
    expect(await rejection(stranger.readings.done(reading.id, await answerTo(reading, reader)))).toMatchObject({ code: 'NOT_FOUND' })
    expect(JSON.stringify(await stranger.readings.next())).not.toContain('Porto')
  }
  expect(await ada.readings.done(reading.id, await answerTo(reading, reader))).toMatchObject({ outcome: 'stored' })
})

test('a forged or altered id is not found, and costs nothing', async () => {
  const { ada } = await told()
  const { id } = await handed(ada)
  const last = id.endsWith('A') ? 'g' : 'A'
  const forged = [
    '',
    'x',
    'A'.repeat(22),
    id.slice(1),
    `${id} `,
    `${id}A`,
    id.slice(0, -1) + last,
    id.toLowerCase(),
    '\0',
    'x'.repeat(10_000),
  ]
  for (let place = 0; place < id.length - 1; place += 1)
    forged.push(id.slice(0, place) + (id[place] === 'B' ? 'C' : 'B') + id.slice(place + 1))
  for (const one of forged)
    expect(await rejection(ada.readings.done(one, '{}')), JSON.stringify(one.slice(0, 30))).toMatchObject({ code: 'NOT_FOUND' })
  expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
})

test('over HTTP, as in the library', async () => {
  const { memory } = await told()
  const { url, close } = await served(memory)
  const ada = connect({ url, logger: { warn: () => undefined } }).for('ada')
  const { reading } = await ada.readings.next({ model: 'scripted' })
  expect(reading).toMatchObject({ task: 'distil', layers: ['gists', 'facts'] } satisfies Partial<DueReading>)
  const done = await ada.readings.done(reading?.id ?? '', reading === undefined ? '' : await answerTo(reading, reader))
  expect(done).toMatchObject({ outcome: 'stored' })
  expect(await ada.gists.get('talk')).toMatchObject({ writer: hostName })
  expect(await rejection(ada.readings.done('A'.repeat(22), {}))).toMatchObject({ code: 'NOT_FOUND' })
  await close(1_000)
})

test('a session is handed out again the next day, where it was given up', async () => {
  const { ada, clock } = await told()
  await handed(ada)
  clock.advance(day)
  expect((await readAll(ada, reader)).done.map(({ outcome }) => outcome)).toEqual(['stored'])
})
