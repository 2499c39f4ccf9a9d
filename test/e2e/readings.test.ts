import { expect, test } from 'vitest'
import { settled } from '../fixtures/distil/talk.ts'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
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
