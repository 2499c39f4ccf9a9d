import { describe, expect, test } from 'vitest'
import { type Distilling, distilling, modelName } from '../fixtures/distil/open.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { minute, settled, talk } from '../fixtures/distil/talk.ts'
import { copied, isFusion, itemsOf, keysOf } from '../fixtures/distil/writer.ts'

const opened = (): Promise<Distilling> => distilling({ modelWindow: 32_768, layers: { gists: true } })

/** The items of each fusion so far. */
const fused = ({ server }: Distilling): number[] => server.requests.filter(isFusion).map((request) => itemsOf(request).length)

/** Appends messages after the first `from`, twenty at a time, and runs upkeep after each; `pause` passes before it. */
async function goesOn(it: Distilling, from: number, to: number, pause: number): Promise<void> {
  const ada = it.memory.for('ada')
  for (let at = from; at < to; at += 20) {
    await ada.append('long', talk('tern', 20, at + 1))
    it.clock.advance(pause)
    await it.memory.upkeep.run()
  }
}

describe('the gist of a long session', () => {
  // requirement: GIST-4
  test('goes on from the standing one: no fusion grows with the session', async () => {
    const it = await opened()
    await goesOn(it, 0, 600, settled)
    const [longest, last] = [Math.max(...fused(it)), fused(it).at(-1)]
    // The standing gist has eight sentences, and so has the newer part.
    expect([longest, last]).toEqual([16, 16])
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ messages: 600, writer: modelName, provisional: false })
  })

  test('waits while talk goes on, for three parts at most, and is made once the session settles', async () => {
    const it = await opened()
    await goesOn(it, 0, 160, minute)
    expect(fused(it)).toEqual([])
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ messages: 40, provisional: false })
    expect((await it.memory.upkeep.status()).failures).toEqual([])
    await goesOn(it, 160, 180, minute)
    expect(fused(it)).toEqual([40])
    await goesOn(it, 180, 220, minute)
    const asked = it.server.count
    await it.memory.upkeep.run()
    expect(it.server.count).toBe(asked)
    it.clock.advance(settled)
    await it.memory.upkeep.run()
    expect(it.server.count).toBe(asked + 1)
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ messages: 220, writer: modelName, provisional: false })
  })

  test('is made without the model where that is down once the session settles, and by the model when it is back', async () => {
    const it = await opened()
    await goesOn(it, 0, 160, minute)
    it.play(() => ({ status: 402, text: 'no credit' }))
    // Another session finds out that the model is down.
    await it.memory.for('ada').append('other', talk('gull', 3))
    it.clock.advance(settled)
    await it.memory.upkeep.run()
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ messages: 160, writer: 'extractive', provisional: true })
    const asked = it.server.count
    await it.memory.upkeep.run()
    expect(it.server.count).toBe(asked)
    it.play(copied)
    it.clock.advance(24 * 60 * minute)
    await it.memory.upkeep.run()
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ messages: 160, writer: modelName, provisional: false })
  })

  test('is made without a model that is not configured any more', async () => {
    const store = newStore()
    const it = await distilling({ store, modelWindow: 32_768, layers: { gists: true } })
    await goesOn(it, 0, 160, minute)
    await it.memory.close()
    it.clock.advance(settled)
    const memory = await openForTest({ store, clock: it.clock, languageModel: false, layers: { gists: true } })
    expect(await memory.upkeep.run({ maxSeconds: 5 })).toMatchObject({ distilled: 1, settled: true })
    expect(await memory.for('ada').gists.get('long')).toMatchObject({ messages: 160, provisional: false })
  })

  test.each(['an upkeep of all', 'a call for this session'])('does not wait for %s', async (asked) => {
    const it = await opened()
    await it.memory.for('ada').append('long', talk('tern', 40))
    await it.memory.upkeep.run({ all: true })
    await it.memory.for('ada').append('long', talk('tern', 40, 41))
    await (asked === 'an upkeep of all' ? it.memory.upkeep.run({ all: true }) : it.memory.for('ada').distil('long'))
    expect(fused(it)).toEqual([16])
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ messages: 80, provisional: false })
  })

  test('is made of all parts anew after one of them was forgotten', async () => {
    const it = await opened()
    await goesOn(it, 0, 160, settled)
    const [first] = await it.memory.for('ada').messages('long', { limit: 160 })
    await it.memory.for('ada').forget({ messages: [first?.id ?? ''] })
    const before = it.server.count
    it.clock.advance(settled)
    await it.memory.upkeep.run()
    const again = it.server.requests.slice(before)
    expect(again.filter(isFusion).map((request) => itemsOf(request).length)).toEqual([32])
    expect(again.some(({ prompt }) => prompt.includes('tern-1 '))).toBe(false)
  })

  test('is made of all parts anew where the standing one is not the model’s', async () => {
    const it = await opened()
    await goesOn(it, 0, 80, settled)
    it.play((request) => (isFusion(request) ? { object: {} } : copied(request)))
    await goesOn(it, 80, 120, settled)
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ writer: 'extractive', provisional: true })
    it.play(copied)
    it.clock.advance(24 * 60 * minute)
    await it.memory.upkeep.run()
    expect(fused(it).at(-1)).toBe(24)
    expect(await it.memory.for('ada').gists.get('long')).toMatchObject({ messages: 120, writer: modelName, provisional: false })
  })
})

test('a layer that reads each message once is asked for in the same call, of the newer messages alone', async () => {
  const it = await distilling({ modelWindow: 32_768, layers: { gists: true, facts: false, documents: true } })
  it.play((request) => ({ object: { ...Object(copied(request).object), documents: [] } }))
  await goesOn(it, 0, 40, minute)
  expect(it.server.requests.map(keysOf)).toEqual([
    ['gist', 'documents'],
    ['gist', 'documents'],
  ])
  expect(it.server.requests.map(({ prompt }) => prompt.includes('Write "documents" only of what stands from [21] on.'))).toEqual([
    false,
    true,
  ])
})
