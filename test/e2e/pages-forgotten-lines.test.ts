import { expect, test } from 'vitest'
import { InvalidOption, NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const layers = { documents: true, notes: true, gists: false, facts: false, bank: false }
const shared = sharedMemory({ isolation: 'silent', embeddingModel: false, layers, clock: new ManualClock() })

const harbour = '- 2026-01-05: '
const [opens, sells, closes] = ['Our bakery opens at 7.', 'Our bakery sells rye bread for $10.', 'Our bakery closes on Monday.']
const line = (said: string): string => `${harbour}${said}`

/** A user whose document has the name of the user's trade. */
let bakers = 0
function baker(): UserMemory {
  bakers += 1
  return shared.memory.for({ project: `bakery ${bakers}`, user: 'bakery' })
}

async function say(ada: UserMemory, session: string, ...said: string[]): Promise<string[]> {
  const { messages } = await ada.append(
    session,
    said.map((content) => ({ role: 'user' as const, content })),
  )
  await ada.documents.memorize(session)
  return messages.map(({ id }) => id)
}

async function content(ada: UserMemory): Promise<string | undefined> {
  return (await ada.documents.read('bakery'))?.content
}

async function lines(ada: UserMemory): Promise<string[] | undefined> {
  return (await content(ada))?.split('\n').filter((one) => one !== '')
}

/** Gives every content that a document had. */
async function everSaid(ada: UserMemory): Promise<string> {
  return JSON.stringify([await ada.documents.read('bakery'), await ada.documents.revisions('bakery', { limit: 200 })])
}

/** Forgets, and gives back the counts, which must be those of the preview. */
async function forget(ada: UserMemory, ...messages: string[]): Promise<Readonly<Record<string, number>>> {
  const preview = await ada.previewForget({ messages })
  const { counts } = await ada.forget({ messages })
  expect(counts).toEqual(preview)
  return counts
}

test('a description that is made of the content says nothing of a message that is forgotten', async () => {
  const ada = baker()
  const [, second = ''] = await say(ada, 'talk', opens, sells, closes)
  expect((await ada.documents.read('bakery'))?.description).toContain('rye bread')
  expect(await forget(ada, second)).toEqual({ message: 1, document: 1 })
  expect(await everSaid(ada)).not.toContain('rye bread')
  expect((await ada.documents.read('bakery'))?.description).toContain('opens at 7')
})

test('a hand-written line that took a forgotten line’s place goes with it, and so does a copy; the others stay', async () => {
  const ada = baker()
  const [, second = ''] = await say(ada, 'talk', opens, sells, closes)
  await ada.documents.edit('bakery', [{ tool: 'replace_text', old: line(sells), text: '- Rye, dark as the night.' }])
  await ada.documents.edit('bakery', [{ tool: 'append', text: '- Ask for Mira.' }])
  await ada.documents.edit('bakery', `${await content(ada)}# In short\n- Rye, dark as the night.\n${line(opens)}\n`)
  await forget(ada, second)
  expect(await everSaid(ada)).not.toMatch(/rye/i)
  expect(await lines(ada)).toEqual([line(opens), line(closes), '- Ask for Mira.', '# In short', line(opens)])
})

test('a hand that moves a line does not write it', async () => {
  const ada = baker()
  const [, second = ''] = await say(ada, 'talk', opens, sells, closes)
  await ada.documents.edit('bakery', `${line(sells)}\n${line(opens)}\n- Ask for Mira.\n`)
  await forget(ada, second)
  expect(await lines(ada)).toEqual([line(opens), '- Ask for Mira.'])
})

test('a description that a person wrote in the place of a forgotten one goes with it', async () => {
  const ada = baker()
  const [first = ''] = (await ada.append('talk', { role: 'user', content: sells })).messages.map(({ id }) => id)
  const tools = ada.documents.tools({ session: 'talk', writer: 'helmsman' })
  await ada.documents.edit('bakery', '- Ask for Mira.')
  await tools.memory_document_edit.execute({ name: 'bakery', revision: 1, edits: [{ tool: 'append', text: '- sells rye' }] }, {})
  const shown = await ada.documents.edit('bakery', `${await content(ada)}\n- Knock twice.`, { description: 'Rye, dark as the night.' })
  expect(shown.description).toContain('Rye')
  await forget(ada, first)
  expect(await lines(ada)).toEqual(['- Ask for Mira.', '- Knock twice.'])
})

test('what an agent writes in a session rests on all that it was shown, the page and the session', async () => {
  const ada = baker()
  const [first = '', second = '', third = ''] = await say(ada, 'talk', opens, sells, closes)
  await ada.append('other', { role: 'user', content: 'Hello.' })
  await ada.documents
    .tools({ session: 'other' })
    .memory_document_edit.execute({ name: 'bakery', revision: 3, edits: [{ tool: 'append', text: '- Has rye.' }] }, {})
  await ada.documents.edit('bakery', [{ tool: 'append', text: '- Ask for Mira.' }])
  expect((await ada.documents.revisions('bakery'))[1]?.lineage).toEqual(
    expect.arrayContaining([
      { session: 'other', from: 1, to: 1 },
      { session: 'talk', from: 1, to: 3 },
    ]),
  )
  await forget(ada, second)
  expect(await everSaid(ada)).not.toMatch(/rye/i)
  expect(await lines(ada)).toEqual(['- Ask for Mira.'])
  await shared.memory.upkeep.run()
  expect(await lines(ada)).toEqual(['- Ask for Mira.', line(opens), line(closes)])
  await forget(ada, first, third)
  expect(await lines(ada)).toBeUndefined()
})

test('an agent may not pass for a person or for Varve itself', () => {
  const ada = baker()
  for (const writer of ['person', 'extractive', 'template', 'forgetting'])
    expect(() => ada.documents.tools({ writer })).toThrow(InvalidOption)
})

test('to restore an old revision after a forget brings nothing back, and a restored line goes with its own message alone', async () => {
  const ada = baker()
  const [, second = '', third = ''] = await say(ada, 'talk', opens, sells, closes)
  await ada.documents.edit('bakery', '- Nothing.')
  await ada.documents.restore('bakery', 3)
  await forget(ada, third)
  expect(await lines(ada)).toEqual([line(opens), line(sells)])
  await forget(ada, second)
  await ada.documents.restore('bakery', 3)
  expect(await lines(ada)).toEqual([line(opens)])
  for (let revision = 1; revision < 8; revision += 1)
    expect((await ada.documents.restore('bakery', revision)).content).not.toMatch(/rye|Monday/)
})

test('what two messages said stands while one of them does', async () => {
  const ada = baker()
  const [, second = ''] = await say(ada, 'talk', opens, sells)
  const [twin = ''] = await say(ada, 'again', sells)
  await say(ada, 'more', closes)
  await forget(ada, second)
  await shared.memory.upkeep.run()
  expect((await lines(ada))?.filter((one) => one.includes('rye'))).toHaveLength(1)
  await forget(ada, twin)
  await shared.memory.upkeep.run()
  expect(await everSaid(ada)).not.toContain('rye')
  expect(await lines(ada)).toEqual([line(opens), line(closes)])
})

test('what a person put into one line with what is forgotten is worked in again from its own message', async () => {
  const ada = baker()
  const [, second = ''] = await say(ada, 'talk', opens, sells, closes)
  await ada.documents.edit('bakery', '- Rye from 7 on.\n- Ask for Mira.\n')
  await ada.documents.edit('bakery', [{ tool: 'append', text: '- Knock twice.' }])
  await forget(ada, second)
  await shared.memory.upkeep.run()
  expect(await lines(ada)).toEqual(['- Knock twice.', line(opens), line(closes)])
})

test('a document of which nothing but headings is left goes, and so does one that only a forgotten message named', async () => {
  const ada = baker()
  const said = await say(ada, 'talk', sells, opens, closes)
  await ada.documents.edit('bakery', `# Bread\n\n${await content(ada)}\n## Times\n`)
  const machine = ['makes 2 cups', 'weighs 14 kg', 'costs $4,900'].map((does) => `The Linea Mini ${does}.`)
  const named = await say(ada, 'other', 'We bought the Linea Mini.', ...machine)
  await ada.documents.edit('Linea Mini', [{ tool: 'append', text: '- Ask for Mira.' }])
  await forget(ada, ...said, ...named)
  expect(await ada.documents.list()).toEqual([])
})

test('a document stands while a message names it, as one does that goes on where it was full', async () => {
  const ada = baker()
  const first = await say(ada, 'talk', opens, sells, closes)
  await ada.documents.edit('bakery', `${await content(ada)}${'x'.repeat(170)}\n`, { maxChars: 310 })
  const [tables, ovens] = ['Our bakery has 12 tables.', 'Our bakery has 3 ovens.']
  const [second = '', third = ''] = await say(ada, 'more', tables, ovens)
  const next = 'bakery (2)'
  expect((await ada.documents.read(next))?.content).toBe(`${line(tables)}\n${line(ovens)}\n`)
  await forget(ada, second)
  expect((await ada.documents.read(next))?.content.trim()).toBe(line(ovens))
  await forget(ada, ...first)
  expect((await content(ada))?.trim()).toBe('x'.repeat(170))
  await forget(ada, third)
  expect(await ada.documents.list()).toEqual([])
})

test('a page whose oldest revisions were let go forgets all the same, its name as well', async () => {
  const ada = baker()
  const [first = '', second = '', third = ''] = await say(ada, 'talk', sells, opens, closes)
  for (let at = 0; at < 230; at += 1) await ada.documents.edit('bakery', `${line(opens)}\n${line(sells)}\n- Edit ${at}.\n`)
  expect((await ada.documents.read('bakery'))?.lineage).toEqual([{ session: 'talk', from: 1, to: 3 }])
  expect(await rejection(ada.documents.read('bakery', { revision: 2 }))).toBeInstanceOf(NotFound)
  await forget(ada, first)
  expect(await everSaid(ada)).not.toContain('rye')
  expect(await lines(ada)).toEqual([line(opens), '- Edit 229.'])
  await forget(ada, second, third)
  expect(await ada.documents.list()).toEqual([])
})

// requirement: P3.13
test('what a person wrote by hand is counted and goes with all of the user', async () => {
  const ada = baker()
  await say(ada, 'talk', opens, sells, closes)
  await ada.documents.edit('smithy', '- Ask for Mira.')
  await ada.notes.edit('talk', '# Mine\n\n- Knock twice.')
  const preview = await ada.previewForget({ all: true })
  expect(preview).toEqual({ message: 3, session: 1, document: 2, notes: 1 })
  expect((await ada.forget({ all: true })).counts).toEqual(preview)
  expect([await ada.documents.list(), await ada.notes.list()]).toEqual([[], []])
})

test('contexts that showed a document are forgotten with a message under it, and counted', async () => {
  const ada = baker()
  const [, second = ''] = await say(ada, 'talk', opens, sells, closes)
  await ada.append('later', { role: 'user', content: 'Hello.' })
  const { id } = await ada.context({ session: 'later', query: 'bakery' })
  expect(id).toBeDefined()
  expect(await forget(ada, second)).toEqual({ message: 1, document: 1, context: 1 })
})

test('notes are read again from where something was forgotten, and keep what was written by hand', async () => {
  const ada = baker()
  const [, second = ''] = (
    await ada.append(
      'talk',
      [opens, sells].map((said) => ({ role: 'user' as const, content: said })),
    )
  ).messages.map(({ id }) => id)
  await ada.notes.update('talk')
  await ada.append('talk', { role: 'user', content: closes })
  const { content: page } = await ada.notes.update('talk')
  await ada.notes.edit('talk', `${page}\n# Worklog\n\n- Ask for Mira.\n`)
  expect(await forget(ada, second)).toEqual({ message: 1, notes: 1 })
  const left = await ada.notes.get('talk')
  expect(left).toMatchObject({ upTo: 0, writer: 'forgetting', content: expect.stringContaining('Ask for Mira') })
  expect(JSON.stringify([left, await ada.notes.revisions('talk', { limit: 200 })])).not.toContain('rye')
  const { content: after } = await ada.notes.update('talk')
  for (const said of [opens, closes, 'Ask for Mira']) expect(after).toContain(said)
  expect(after).not.toContain('rye')
})
