import { expect, test } from 'vitest'
import type { Memory, MemoryOptions, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { calls, isEditor, shownIn } from '../fixtures/documents/model.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { day, hour, settled } from '../fixtures/distil/talk.ts'
import { isDigest, keysOf, partOf } from '../fixtures/distil/writer.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const layers = { gists: true, bank: true, documents: true, facts: true, instructions: true } as const
const options: MemoryOptions = { layers, embeddingModel: false }
const words = 'Our bakery moved to Kiel yesterday. From now on, call me Captain in any talk about yesterday. I live in Moss. I am a nurse.'
/** Said on 8 May in Berlin, which is the 7th in UTC. */
const said = Date.parse('2023-05-07T22:30:00Z')
const dated = 'yesterday (7 May 2023)'

async function told(memory: Memory, clock: ManualClock): Promise<UserMemory> {
  clock.set(said)
  const project = memory.project('default')
  await project.settings.set({ timeZone: 'Europe/Berlin' })
  await project.bank.setSharing(true, { acknowledge: true })
  const ada = memory.for('ada')
  await ada.sessions.ensure('talk', { share: true })
  await ada.append('talk', { role: 'user', content: words })
  clock.advance(settled)
  await memory.upkeep.run()
  return ada
}

async function shownTimes(memory: Memory, ada: UserMemory) {
  const [page] = await ada.documents.list()
  return {
    gist: (await ada.gists.get('talk'))?.text,
    bank: (await ada.bank.render(1_000)).text,
    shared: (await memory.project('default').bank.render(1_000)).text,
    document: (await ada.documents.read(page?.name ?? ''))?.content,
  }
}

async function expectDated(memory: Memory, ada: UserMemory): Promise<void> {
  for (const [layer, text] of Object.entries(await shownTimes(memory, ada))) expect(text, layer).toContain(dated)
}

test('without a model, gists, bullets and documents date their times in the project’s zone, and quotes stay as said', async () => {
  const clock = new ManualClock()
  const memory = await openForTest({ ...options, clock })
  const ada = await told(memory, clock)
  await expectDated(memory, ada)
  const facts = await ada.facts.list()
  expect((await ada.instructions.list()).map(({ text }) => text)).toEqual(['From now on, call me Captain in any talk about yesterday'])
  expect(facts.map(({ object }) => object)).toEqual(expect.arrayContaining(['Kiel']))
  expect(JSON.stringify(facts)).not.toContain('7 May 2023')
  expect((await ada.messages('talk'))[0]?.content).toBe(words)
})

test('a model’s text is dated too, once, and its editor is shown the date', async () => {
  const { memory, clock, server, play } = await distilling(options)
  play((request) => {
    if (isEditor(request)) return calls([{ tool: 'append', text: `- ${shownIn(request).facts[0]?.fact}` }])
    const documents = [
      { from: 1, quote: 'Our bakery moved to Kiel yesterday', subject: 'bakery', fact: 'The bakery moved to Kiel yesterday.' },
    ]
    return { object: Object.fromEntries(keysOf(request).map((key) => [key, key === 'documents' ? documents : partOf(request, key)])) }
  })
  const ada = await told(memory, clock)
  await expectDated(memory, ada)
  expect(server.requests.filter(isEditor).map(({ prompt }) => prompt.includes(dated))).toEqual([true])
  const before = await shownTimes(memory, ada)
  await ada.append('talk', { role: 'user', content: 'We raise it next week.' })
  clock.advance(settled)
  await memory.upkeep.run()
  const after = await shownTimes(memory, ada)
  expect(after.gist).toContain('next week (week of 15 May 2023)')
  expect(after.gist?.split(dated)).toHaveLength(before.gist?.split(dated).length ?? 0)
})

test('a model that leaves the dates out of its digests gets them from the entries', async () => {
  const { memory, clock, server, play } = await distilling({ layers: { gists: false, bank: true }, isolation: 'silent' })
  play((request) => {
    const bullets = partOf(request, 'bullets').map((bullet) => ({ ...bullet, text: bullet.text.replaceAll(/ \([^)]*\)/g, '') }))
    return { object: { bullets } }
  })
  const noon = Date.parse('2023-05-07T12:00:00Z')
  clock.set(noon + 15 * day)
  await memory.project('default').settings.set({ bank: { maxTokens: 200 } })
  const ada = memory.for('ada')
  for (let place = 0; place < 9; place += 1) {
    const content = `The bakery in Kiel baked ${place + 20} loaves for the ferry to Oslo and sold them to its crew yesterday.`
    await ada.append(`talk ${place}`, { role: 'user', content, at: noon + Math.floor(place / 3) * day + (place % 3) * hour })
  }
  clock.advance(settled)
  await memory.upkeep.run()
  expect(server.requests.filter(isDigest).length).toBeGreaterThan(0)
  const days = (await ada.bank.entries({ granularity: 'day' })).map(({ bullets }) => bullets.join(' '))
  expect(days.map((text) => /yesterday \(([^)]*)\)/.exec(text)?.[1])).toEqual(['8 May 2023', '7 May 2023', '6 May 2023'])
})
