import { describe, expect, test } from 'vitest'
import { hashedEmbeddingModel } from '../../packages/varve/src/testing/index.ts'
import {
  about,
  appended,
  calls,
  documenting,
  documentModel,
  isEditor,
  messagesOf,
  type Shown,
  shownIn,
} from '../fixtures/documents/model.ts'
import { modelName, openAt, serve } from '../fixtures/distil/open.ts'
import { hour, settled } from '../fixtures/distil/talk.ts'
import { keysOf } from '../fixtures/distil/writer.ts'
import { newStore } from '../fixtures/memory/open.ts'

const fees = about('harbour office', 'The harbour office charges $1,000 a berth.')
const moved = about('harbour office', 'The harbour office moved to Paris, France.')
const opens = about('harbour office', 'The harbour office opens at 8.')
const barge = about('barge', 'Our barge is painted green.')

// requirement: DOC-3
test('facts are a list, no comma-separated string: "$1,000" and "Paris, France" stay whole', async () => {
  const { memory, server } = await documenting(documentModel([fees, moved]))
  const ada = memory.for('ada')
  await ada.append('talk', messagesOf([fees, moved]))
  expect(await ada.documents.memorize('talk')).toMatchObject({ facts: 2, documents: [{ name: 'harbour office', revision: 1 }] })
  expect(server.requests.filter(isEditor).map(shownIn)).toMatchObject([{ facts: [{ fact: fees.content }, { fact: moved.content }] }])
  expect((await ada.documents.read('harbour office'))?.content).toBe(`- ${fees.content}\n- ${moved.content}\n`)
})

describe('two pools with one new name make one document', () => {
  // requirement: DOC-4
  test('in one run over two sessions, however the name is spelt', async () => {
    const other = about('The Harbour Office', 'The Harbour Office has a red door.')
    const { memory, server, clock } = await documenting(documentModel([opens, other]))
    const ada = memory.for('ada')
    await ada.append('monday', messagesOf([opens]))
    await ada.append('tuesday', messagesOf([other]))
    clock.advance(settled)
    expect(await memory.upkeep.run()).toMatchObject({ documented: 2, settled: true })
    expect(await ada.documents.list()).toMatchObject([{ name: expect.stringMatching(/harbour office$/i), revision: 1 }])
    expect(server.requests.filter(isEditor)).toHaveLength(1)
    expect((await ada.documents.read('harbour office'))?.lineage).toEqual([
      { session: 'monday', from: 1, to: 1 },
      { session: 'tuesday', from: 1, to: 1 },
    ])
  })

  // requirement: DOC-4
  test('with two memories on one file at once', async () => {
    const store = newStore()
    const model = documentModel([opens, fees])
    const server = await serve(async (request) => ({ ...(await model(request)), delayMs: 20 }))
    const options = { store, embeddingModel: false, layers: { gists: false, facts: false, documents: true }, modelWindow: 32_768 } as const
    const [one, other] = [await openAt(server.url, options), await openAt(server.url, options)]
    await Promise.all([one.for('ada').append('monday', messagesOf([opens])), other.for('ada').append('tuesday', messagesOf([fees]))])
    await Promise.all([one.for('ada').documents.memorize('monday'), other.for('ada').documents.memorize('tuesday')])
    for (const memory of [one, other]) await memory.upkeep.run()
    expect(await other.for('ada').documents.list()).toHaveLength(1)
    const { content = '' } = (await one.for('ada').documents.read('harbour office')) ?? {}
    expect(content.split('\n').toSorted()).toEqual(['', `- ${fees.content}`, `- ${opens.content}`])
  })
})

// requirement: DOC-9
test('parallel edits do not use stale line numbers: the editor is asked again on the new revision, and nothing is lost', async () => {
  let interfere = async (): Promise<unknown> => undefined
  const shown: Shown[] = []
  const { memory } = await documenting(
    documentModel([fees, opens], async (page) => {
      shown.push(page)
      if (shown.length === 2) await interfere()
      return page.lines.length === 0
        ? appended(page)
        : calls([
            {
              tool: 'replace_lines',
              from: page.lines.length,
              to: page.lines.length,
              text: `${page.lines.at(-1)} And: ${page.facts[0]?.fact}`,
            },
          ])
    }),
  )
  const ada = memory.for('ada')
  await ada.append('talk', messagesOf([fees]))
  await ada.documents.memorize('talk')
  interfere = () => ada.documents.edit('harbour office', [{ tool: 'append', text: '- Mira has the key.' }], { revision: 1 })
  await ada.append('talk', messagesOf([opens]))
  expect(await ada.documents.memorize('talk')).toMatchObject({ facts: 1, documents: [{ name: 'harbour office', revision: 3 }] })
  expect(shown.map(({ revision, lines }) => [revision, lines.length])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ])
  expect((await ada.documents.read('harbour office'))?.content).toBe(`- ${fees.content}\n- Mira has the key. And: ${opens.content}\n`)
})

// requirement: DOC-7
test('line numbers are shown to the model, with the revision and the day of each fact', async () => {
  const { memory, server } = await documenting(documentModel([fees, opens]))
  const ada = memory.for('ada')
  await ada.documents.edit('harbour office', '# Harbour office\n\n- green door\n')
  await ada.append('talk', messagesOf([fees]))
  await ada.documents.memorize('talk')
  const [asked] = server.requests.filter(isEditor)
  expect(asked?.prompt).toMatch(/^Revision 1 of a document, lines 1 to 3,/)
  for (const line of ['[1] # Harbour office', '[2]', '[3] - green door', `[1] 2026-01-05: ${fees.content}`])
    expect(asked?.prompt.split('\n')).toContain(line)
})

// requirement: DOC-8
describe('null, negative and reversed ranges wipe and duplicate nothing', () => {
  test.each([
    ['null', { from: 2, to: null }],
    ['negative', { from: -1, to: 2 }],
    ['zero', { from: 0, to: 0 }],
    ['reversed', { from: 2, to: 1 }],
    ['past the end', { from: 2, to: 3 }],
    ['half a line', { from: 1.5, to: 2 }],
  ])('%s: the answer changes nothing, and the next prompt names the valid range', async (_, range) => {
    const { memory, server } = await documenting(
      documentModel([opens], (page) =>
        page.after.includes('refused')
          ? appended(page)
          : calls([{ text: '- never kept' }, { tool: 'replace_lines', ...range, text: '- wiped' }]),
      ),
    )
    const ada = memory.for('ada')
    await ada.documents.edit('harbour office', '- green door\n- red roof\n')
    await ada.append('talk', messagesOf([opens]))
    await ada.documents.memorize('talk')
    const [, again, ...more] = server.requests.filter(isEditor)
    expect(again?.prompt).toContain('[call 2] it must name lines 1 to 2')
    expect(more).toEqual([])
    expect((await ada.documents.read('harbour office'))?.content).toBe(`- green door\n- red roof\n- ${opens.content}\n`)
  })
})

// requirement: DOC-14
test('deletion is possible, of lines and of words; a fact that the editor left out stands all the same', async () => {
  const { memory } = await documenting(
    documentModel([opens], () =>
      calls([
        { tool: 'delete_lines', from: 2, to: 3 },
        { tool: 'replace_text', old: ' and a blue gate', text: '' },
      ]),
    ),
  )
  const ada = memory.for('ada')
  await ada.documents.edit('harbour office', '- green door and a blue gate\n- opens at 7\n- opens at 6\n- red roof\n')
  await ada.append('talk', messagesOf([opens]))
  await ada.documents.memorize('talk')
  expect((await ada.documents.read('harbour office'))?.content).toBe(
    '- green door\n- red roof\n- 2026-01-05: The harbour office opens at 8.\n',
  )
})

// requirement: DOC-11
test('a description does not stay as on the first day: it follows the content, and so does what it is found by', async () => {
  const words = ['Opening hours of the harbour office.', 'Fees of the harbour office.']
  const { memory } = await documenting(
    documentModel([opens, fees], (page) => calls([{ tool: 'append', text: `- ${page.facts[0]?.fact}` }], words[page.revision] ?? '')),
    {
      embeddingModel: hashedEmbeddingModel({
        synonyms: [
          ['fees', 'tariff'],
          ['hours', 'timetable'],
        ],
      }),
    },
  )
  const ada = memory.for('ada')
  await ada.append('talk', messagesOf([opens]))
  await ada.documents.memorize('talk')
  await memory.upkeep.run()
  expect(await ada.documents.read('harbour office')).toMatchObject({ description: words[0], revision: 1 })
  expect(await ada.documents.recollect('timetable')).toMatchObject([{ name: 'harbour office' }])
  expect(await ada.documents.recollect('tariff')).toEqual([])
  await ada.append('talk', messagesOf([fees]))
  await ada.documents.memorize('talk')
  await memory.upkeep.run()
  expect(await ada.documents.read('harbour office')).toMatchObject({ description: words[1], revision: 2 })
  expect(await ada.documents.recollect('tariff')).toMatchObject([{ name: 'harbour office' }])
})

test('a description that names what stands nowhere gives way to one made of the content', async () => {
  const { memory } = await documenting(
    documentModel([opens], (page) => calls([{ tool: 'append', text: `- ${page.facts[0]?.fact}` }], 'All about Captain Nemo.')),
  )
  const ada = memory.for('ada')
  await ada.append('talk', messagesOf([opens]))
  await ada.documents.memorize('talk')
  expect((await ada.documents.read('harbour office'))?.description).toContain('opens at 8')
})

// requirement: DOC-12
test('content is searchable: a document is found by what is inside it, and the passage is told', async () => {
  const { memory } = await documenting(documentModel([fees, moved, barge]))
  const ada = memory.for('ada')
  await ada.append('talk', messagesOf([fees, moved, barge]))
  await ada.documents.memorize('talk')
  expect(await ada.documents.recollect('France')).toMatchObject([
    { name: 'harbour office', passage: expect.stringContaining('Paris, France') },
  ])
  expect(await ada.documents.recollect('green')).toMatchObject([{ name: 'barge', passage: `- ${barge.content}` }])
})

describe('only the span after the cursor is read', () => {
  // requirement: DOC-5
  test('the prompts of a second time hold nothing of the first, cost does not grow, and facts do not repeat', async () => {
    const said = Array.from({ length: 12 }, (_, place) => about('barge', `Our barge carried ${place + 11} crates of figs.`))
    const { memory, server } = await documenting(documentModel(said))
    const ada = memory.for('ada')
    const sizes: number[] = []
    for (const one of said) {
      const before = server.count
      await ada.append('talk', messagesOf([one]))
      await ada.documents.memorize('talk')
      const reader = server.requests.slice(before).filter((request) => !isEditor(request))
      expect(reader).toHaveLength(1)
      for (const other of said) if (other !== one) expect(reader[0]?.prompt).not.toContain(other.content)
      sizes.push(reader[0]?.prompt.length ?? 0)
    }
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(3)
    const { content = '' } = (await ada.documents.read('barge')) ?? {}
    expect(content).toBe(said.map((one) => `- ${one.content}\n`).join(''))
    const before = server.count
    expect(await ada.documents.memorize('talk')).toEqual({ facts: 0, documents: [], waiting: 0 })
    expect(server.count).toBe(before)
  })

  test('what is said again, in a session or in another, is worked in once', async () => {
    const { memory, server } = await documenting(documentModel([opens]))
    const ada = memory.for('ada')
    await ada.append('monday', messagesOf([opens, opens]))
    await ada.documents.memorize('monday')
    expect(server.requests.filter(isEditor).map((request) => shownIn(request).facts.length)).toEqual([1])
    expect((await ada.documents.read('harbour office'))?.content).toBe(`- ${opens.content}\n`)
  })
})

test('a document tells time, source, and its owner, and can be undone', async () => {
  const { memory, clock } = await documenting(documentModel([opens, fees]))
  const ada = memory.for('ada')
  await ada.append('talk', messagesOf([opens]))
  const first = clock.now()
  await ada.documents.memorize('talk')
  clock.advance(hour)
  await ada.append('talk', messagesOf([fees]))
  await ada.documents.memorize('talk')
  expect(await ada.documents.revisions('harbour office')).toMatchObject([
    {
      revision: 2,
      writer: modelName,
      at: first + hour,
      diff: expect.stringContaining(`+- ${fees.content}`),
      lineage: [{ session: 'talk', from: 1, to: 2 }],
    },
    {
      revision: 1,
      writer: modelName,
      at: first,
      diff: expect.stringContaining(`+- ${opens.content}`),
      lineage: [{ session: 'talk', from: 1, to: 1 }],
    },
  ])
  expect(await ada.documents.restore('harbour office', 1)).toMatchObject({ revision: 3, writer: 'person', content: `- ${opens.content}\n` })
  expect(await memory.for('bob').documents.list()).toEqual([])
  expect(await memory.for({ project: 'other', user: 'ada' }).documents.read('harbour office')).toBeUndefined()
})

describe('a size cap', () => {
  const long = (lines: number) => Array.from({ length: lines }, (_, place) => `- berth ${place} is free until the ice is gone`).join('\n')

  test('has the editor asked to condense what is nearly full', async () => {
    const { memory, server } = await documenting(
      documentModel([opens], (page) =>
        calls([{ tool: 'replace_lines', from: 1, to: page.lines.length, text: `- most berths are free\n- ${opens.content}` }]),
      ),
    )
    const ada = memory.for('ada')
    await ada.documents.edit('harbour office', long(45), { maxChars: 2_000 })
    await ada.append('talk', messagesOf([opens]))
    await ada.documents.memorize('talk')
    expect(server.requests.find(isEditor)?.prompt).toMatch(/has \d+ characters and may have 2000\. Condense it/)
    expect(await ada.documents.read('harbour office')).toMatchObject({
      content: `- most berths are free\n- ${opens.content}`,
      maxChars: 2_000,
    })
    expect((await ada.documents.read('harbour office', { revision: 1 }))?.content).toBe(long(45))
  })

  // requirement: DOC-13
  test('refuses an answer that is over it, asks to condense, and keeps what stands until then', async () => {
    const { memory, server } = await documenting(
      documentModel([opens], (page) =>
        page.after.includes('Condense')
          ? calls([
              { tool: 'delete_lines', from: 2, to: page.lines.length },
              { tool: 'append', text: `- ${opens.content}` },
            ])
          : calls([{ text: Array(3).fill('- a berth is free until the ice is gone').join('\n') }]),
      ),
    )
    const ada = memory.for('ada')
    await ada.documents.edit('harbour office', long(3), { maxChars: 200 })
    await ada.append('talk', messagesOf([opens]))
    await ada.documents.memorize('talk')
    expect(server.requests.filter(isEditor)).toHaveLength(2)
    expect((await ada.documents.read('harbour office'))?.content).toBe(`- berth 0 is free until the ice is gone\n- ${opens.content}`)
  })
})

// requirement: DOC-6
test('no private catalogue is in the first prompt: names and descriptions of documents are not told', async () => {
  const { memory, server } = await documenting(documentModel([barge]))
  const ada = memory.for('ada')
  await ada.documents.edit('Dr Quill’s diagnosis', '- the knee heals by May\n', { description: 'Health of Quill.' })
  await ada.append('talk', messagesOf([barge]))
  await ada.documents.memorize('talk')
  expect(JSON.stringify(server.requests.filter((request) => !isEditor(request)))).not.toMatch(/Quill|diagnosis|knee/)
  expect(JSON.stringify(server.requests.filter(isEditor))).not.toMatch(/Quill|diagnosis|knee/)
})

describe('due as gists are', () => {
  // requirement: DOC-2
  test('at twenty new messages, or once the talk is settled', async () => {
    const said = Array.from({ length: 20 }, (_, place) => about('barge', `Our barge carried ${place + 11} crates of figs.`))
    const { memory, clock } = await documenting(documentModel([...said, opens]))
    const ada = memory.for('ada')
    await ada.append('talk', messagesOf(said.slice(0, 19)))
    expect(await memory.upkeep.run()).toMatchObject({ documented: 0, waiting: { sessions: 1 } })
    await ada.append('talk', messagesOf(said.slice(19)))
    expect(await memory.upkeep.run()).toMatchObject({ documented: 20 })
    await ada.append('other', messagesOf([opens]))
    expect(await memory.upkeep.run()).toMatchObject({ documented: 0 })
    clock.advance(settled)
    expect(await memory.upkeep.run()).toMatchObject({ documented: 1 })
  })

  // requirement: DOC-1
  test('off by default, and then memorized by hand only', async () => {
    const { memory, clock, server } = await documenting(documentModel([opens]), { layers: {} })
    const ada = memory.for('ada')
    await ada.append('talk', messagesOf([opens]))
    clock.advance(settled)
    await memory.upkeep.run()
    expect(await ada.documents.list()).toEqual([])
    expect(server.requests.flatMap(keysOf)).not.toContain('documents')
    expect(await ada.documents.memorize('talk')).toMatchObject({ facts: 1 })
    expect(server.requests.slice(1).map(keysOf)[0]).toEqual(['documents'])
    clock.advance(hour)
    await ada.append('talk', messagesOf([fees]))
    clock.advance(settled)
    await memory.upkeep.run()
    expect((await ada.documents.read('harbour office'))?.revision).toBe(1)
  })

  test('switched for a project, and for a session against it', async () => {
    const { memory, clock } = await documenting(documentModel([opens, barge]), { layers: { gists: false, facts: false } })
    await memory.project('on').settings.set({ layers: { documents: true } })
    const [on, off] = [memory.for({ project: 'on', user: 'ada' }), memory.for({ project: 'off', user: 'ada' })]
    for (const ada of [on, off]) {
      await ada.append('plain', messagesOf([opens]))
      await ada.sessions.ensure('against', { layers: { documents: ada === off } })
      await ada.append('against', messagesOf([barge]))
    }
    clock.advance(settled)
    await memory.upkeep.run()
    expect((await on.documents.list()).map(({ name }) => name)).toEqual(['harbour office'])
    expect((await off.documents.list()).map(({ name }) => name)).toEqual(['barge'])
  })
})
