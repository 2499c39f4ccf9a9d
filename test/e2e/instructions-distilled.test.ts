import { expect, test } from 'vitest'
import type { MemoryOptions } from '../../packages/varve/src/index.ts'
import type { ModelScript } from '../../packages/varve/src/testing/index.ts'
import { distilling, modelName } from '../fixtures/distil/open.ts'
import { hour } from '../fixtures/distil/talk.ts'
import { copied, itemsOf, keysOf } from '../fixtures/distil/writer.ts'

/** A model that reads these words of these messages as instructions. `-` before them: they only take back. */
function readerOf(asked: Readonly<Record<string, readonly string[]>>): ModelScript {
  return (request) => {
    const answer = copied(request)
    if (!keysOf(request).includes('instructions')) return answer
    const instructions = itemsOf(request).flatMap(({ number, text }) =>
      (asked[text] ?? []).map((quote) => ({ from: number, quote: quote.replace(/^-/, ''), withdraws: quote.startsWith('-') })),
    )
    return { object: { ...Object(answer.object), instructions } }
  }
}

async function reading(script: ModelScript, options: MemoryOptions = {}) {
  const layers = { gists: true, facts: false, instructions: true }
  const it = await distilling({ layers, embeddingModel: false, modelWindow: 32_768, ...options })
  it.play(script)
  return { ...it, ada: it.memory.for('ada') }
}

const wish = 'For the record, give me prices in kroner. Thanks!'

test('instructions and the gist come in one call', async () => {
  const { ada, server } = await reading(readerOf({ [wish]: ['give me prices in kroner'] }))
  await ada.append('talk', { role: 'user', name: 'Ada', content: wish })
  await ada.distil('talk')
  expect(server.requests.map((request) => keysOf(request).toSorted())).toEqual([['gist', 'instructions']])
  expect(await ada.instructions.list()).toMatchObject([
    { text: 'give me prices in kroner', by: 'Ada', writer: modelName, provisional: false, sources: [{ seq: 1, from: 16, to: 40 }] },
  ])
})

test('what no person said is refused and counted', async () => {
  const { ada, memory } = await reading(readerOf({ [wish]: ['give me prices in dollars', 'give me prices in kroner'] }))
  await ada.append('talk', { role: 'user', content: wish })
  await ada.distil('talk')
  expect((await ada.instructions.list()).map(({ text }) => text)).toEqual(['give me prices in kroner'])
  expect(memory.counters().factsRefused).toBe(1)
})

test('words that take back end an instruction from their time on, also when they are read first', async () => {
  const later = 'I said: give me prices in kroner. Not any more.'
  const { ada, clock } = await reading(readerOf({ [wish]: ['give me prices in kroner'], [later]: ['-give me prices in kroner'] }))
  const [said, over] = [clock.now() - 2 * hour, clock.now() - hour]
  await ada.append('later', { role: 'user', content: later, at: over })
  await ada.distil('later')
  await ada.append('earlier', { role: 'user', content: wish, at: said })
  await ada.distil('earlier')
  expect(await ada.instructions.list()).toEqual([])
  expect(await ada.instructions.list({ ended: true })).toMatchObject([
    { since: said, until: over, endedBy: { by: 'user', text: 'give me prices in kroner', source: { session: 'later' } } },
  ])
  await ada.forget({ session: 'later' })
  expect((await ada.instructions.list()).map(({ until }) => until)).toEqual([undefined])
})

test('what was read while the model was down gives way to its reading, except where a person changed it', async () => {
  const { ada, memory, clock, play } = await reading(() => ({ status: 503, headers: { 'retry-after': '1800' }, text: 'down' }))
  await ada.append('talk', [
    { role: 'user', content: 'Call me Captain.' },
    { role: 'user', content: 'Always show the tide in metres.' },
  ])
  clock.advance(hour)
  await memory.upkeep.run()
  const before = await ada.instructions.list()
  expect(before.map(({ text, provisional }) => [text, provisional]).toSorted()).toEqual([
    ['Always show the tide in metres', true],
    ['Call me Captain', true],
  ])
  const captain = before.find(({ text }) => text === 'Call me Captain')
  await ada.instructions.edit(captain?.id ?? '', 'Call me Skipper.')
  play(readerOf({ 'Call me Captain.': ['me Captain'], 'Always show the tide in metres.': ['show the tide in metres'] }))
  clock.advance(48 * hour)
  for (let turn = 0; turn < 3; turn += 1) await memory.upkeep.run()
  expect((await ada.instructions.list()).map(({ text, writer }) => [text, writer]).toSorted()).toEqual([
    ['Call me Skipper.', 'extractive'],
    ['show the tide in metres', modelName],
  ])
})

test('sessions that were read before are read once for instructions alone, within the ceiling of a day', async () => {
  const { ada, memory, clock, server } = await reading(readerOf({ [wish]: ['give me prices in kroner'] }))
  const { settings } = memory.project('default')
  await settings.set({ layers: { instructions: false } })
  for (const session of ['one', 'two', 'three']) {
    await ada.append(session, { role: 'user', content: wish })
    await ada.distil(session)
  }
  const before = server.requests.length
  const asked = () => server.requests.slice(before).map((request) => keysOf(request))
  await settings.set({ layers: { instructions: true }, ceiling: { calls: before + 2 } })
  clock.advance(hour)
  for (let turn = 0; turn < 3; turn += 1) await memory.upkeep.run()
  expect(asked()).toEqual([['instructions'], ['instructions']])
  for (let turn = 0; turn < 6; turn += 1) {
    clock.advance(24 * hour)
    await memory.upkeep.run()
  }
  expect(asked()).toEqual([['instructions'], ['instructions'], ['instructions']])
  const [one, ...rest] = await ada.instructions.list()
  expect([one?.sources.length, one?.writer, one?.provisional, rest.length]).toEqual([3, modelName, false, 0])
})
