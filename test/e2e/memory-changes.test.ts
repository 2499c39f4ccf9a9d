import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type Change, InvalidOption, type ProjectMemory, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { OtherProcess } from './other-process.ts'

const line = (content: string) => ({ role: 'user', content }) as const

/** Reads all changes after a place, page by page. */
async function allAfter(handle: ProjectMemory | UserMemory, after: string, limit = 1_000): Promise<readonly Change[]> {
  const found: Change[] = []
  for (let place = after; ;) {
    const page = await handle.changes({ after: place, limit })
    expect(page.missed).toBe(false)
    found.push(...page.changes)
    if (page.changes.length === 0) return found
    place = page.place
  }
}

const without = ({ id: _id, at: _at, ...rest }: Change) => rest

test('changes tell what was done to a project, in order, with ids and without a word', async () => {
  const memory = await openForTest({ layers: { bank: true, notes: true } })
  const [acme, ada] = [memory.project('acme'), memory.for({ project: 'acme', user: 'ada' })]
  const { place } = await acme.changes()
  const { messages } = await ada.append('talk', [line('I like walnut cake.'), line('The kiosk opens at nine.')])
  const ids = messages.map(({ id }) => id)
  await ada.replace(ids[1] ?? '', 'The kiosk opens at ten.')
  await ada.sessions.ensure('other', { name: 'Walnut talk' })
  await ada.sessions.ensure('other')
  await ada.sessions.get('other')
  await ada.sessions.rename('other', 'Walnut talks')
  await ada.blocks.set('walnut', 'likes walnut')
  await ada.facts.add({ predicate: 'likes', object: 'walnut' })
  await ada.instructions.add('Always name the walnut.')
  await ada.documents.edit('Walnut', '- walnut')
  await ada.notes.edit('talk', '# Walnut\n\n- x')
  await ada.distil('talk')
  await ada.gists.write('talk', 'About walnut.')
  await acme.blocks.set('rules', 'walnut')
  const { id: receipt } = await ada.forget({ messages: [ids[0] ?? ''] })
  const changes = await allAfter(acme, place)
  const own = { user: 'ada' }
  const forgetting = (receipt: unknown) => (['forgotten', 'erased'] as const).map((type) => ({ type, ...own, receipt }))
  expect(changes.map(without)).toEqual([
    // The first message is forgotten by now, and the second was replaced: the append has none left.
    { type: 'replaced', ...own, session: 'talk', message: ids[1], seq: 2 },
    ...forgetting(expect.any(String)),
    { type: 'session', ...own, session: 'other' },
    { type: 'session', ...own, session: 'other' },
    ...(['blocks', 'facts', 'instructions', 'documents', 'notes'] as const).map((layer) => ({ type: 'changed', layer, ...own })),
    { type: 'distilled', ...own, session: 'talk' },
    { type: 'changed', layer: 'gists', ...own },
    { type: 'changed', layer: 'blocks' },
    ...forgetting(receipt),
  ])
  expect(JSON.stringify(changes)).not.toMatch(/walnut|kiosk/i)
})

test('changes tell of digests, of updated notes and of documents that were written into', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const layers = { bank: true, notes: true, documents: true }
  const memory = await openForTest({ clock, layers })
  await memory.project('acme').settings.set({ bank: { maxTokens: 200 } })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  for (let day = 0; day < 40; day += 1) {
    await ada.append(`day ${day}`, line(`I prefer walnut cake number ${day}, because the bakery at pier ${day} sells it from nine on.`))
    clock.advance(86_400_000)
  }
  const { place } = await ada.changes()
  await ada.notes.update('day 0')
  await ada.documents.edit('Bakery', '- at the pier')
  await ada.documents.memorize('day 0')
  await memory.upkeep.run({ all: true })
  const changes = await allAfter(ada, place)
  const counted = Map.groupBy(changes, ({ type }) => type)
  expect([...counted.keys()]).toEqual(expect.arrayContaining(['noted', 'documented', 'distilled', 'digested']))
  expect(changes.every(({ user }) => user === 'ada')).toBe(true)
})

test('an append is told once, with the ids of its messages, and a duplicate not at all', async () => {
  const memory = await openForTest()
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('talk', { ...line('one'), id: 'a' })
  const { place } = await ada.changes()
  const { messages } = await ada.append('talk', [
    { ...line('one'), id: 'a' },
    { ...line('two'), id: 'b' },
    { ...line('three'), id: 'c' },
  ])
  await ada.append('talk', { ...line('two'), id: 'b' })
  const changes = await allAfter(ada, place)
  const fresh = messages.filter(({ duplicate }) => !duplicate).map(({ id }) => id)
  expect(changes.map(without)).toEqual([{ type: 'appended', user: 'ada', session: 'talk', messages: fresh, seq: 3 }])
})

test('a reader that was away misses nothing: the next process reads on from its place, and from the id of any change', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const { place } = await memory.project('pier').changes()
  const other = await OtherProcess.start(store)
  for (const content of ['one', 'two', 'three'])
    await other.tell({ do: 'append', project: 'pier', user: 'ada', session: content, messages: [line(content)] })
  await memory.close()
  const later = (await openForTest({ store })).project('pier')
  const changes = await allAfter(later, place, 2)
  expect(changes.map(({ session }) => session)).toEqual(['one', 'two', 'three'])
  const fromFirst = await allAfter(later, changes[0]?.id ?? '')
  expect(fromFirst).toEqual(changes.slice(1))
})

test('a handle of a user is told of that user’s memory alone, and one without a partition of nothing', async () => {
  const memory = await openForTest()
  const [ada, bo, anonymous] = [
    memory.for({ project: 'acme', user: 'ada' }),
    memory.for({ project: 'acme', user: 'bo' }),
    memory.for({ project: 'acme' }),
  ]
  const acme = memory.project('acme')
  const [{ place }, { place: ofAdas }, { place: ofNobody }] = [await acme.changes(), await ada.changes(), await bo.changes()]
  await ada.append('a', line('one'))
  await anonymous.append('b', line('two'))
  await acme.blocks.set('rules', 'x')
  await memory.for({ project: 'other', user: 'ada' }).append('c', line('three'))
  expect((await allAfter(ada, ofAdas)).map(({ session }) => session)).toEqual(['a'])
  expect(await allAfter(bo, ofNobody)).toEqual([])
  expect(await allAfter(bo, place)).toEqual([])
  expect((await acme.changes({ after: place, user: 'bo' })).changes).toEqual([])
  expect((await acme.changes({ after: place, user: '~' })).changes.map(without)).toEqual([
    { type: 'appended', user: '~', session: 'b', messages: [expect.any(String)], seq: 1 },
  ])
  expect((await allAfter(acme, place)).map(({ user, session }) => [user, session])).toEqual([
    ['ada', 'a'],
    ['~', 'b'],
    [undefined, undefined],
  ])
})

test('rows go with their session, their user and their project, and a forgotten message is no longer told', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const [acme, ada] = [memory.project('acme'), memory.for({ project: 'acme', user: 'ada' })]
  const { place } = await acme.changes()
  const { messages } = await ada.append('kept', [line('one'), line('two')])
  await ada.append('gone', line('three'))
  await ada.sessions.rename('gone', 'Gone')
  const file = new Database(store, { readonly: true })
  const rows = () => file.prepare<[], { session_id: number; partition_id: number; project_id: number }>('SELECT * FROM journal').all()
  const gone = Math.max(...rows().map((row) => row.session_id))
  await ada.forget({ messages: [messages[0]?.id ?? ''] })
  await ada.sessions.delete('gone')
  expect(rows().filter((row) => row.session_id === gone)).toEqual([])
  const changes = await allAfter(acme, place)
  expect(changes.filter(({ type }) => type === 'appended').map((one) => one.messages)).toEqual([[messages[1]?.id]])
  const partition = Math.max(...rows().map((row) => row.partition_id))
  const { id: receipt } = await ada.forget({ all: true })
  expect(rows().filter((row) => row.partition_id === partition)).toEqual([])
  expect((await allAfter(acme, place)).map(without)).toContainEqual({ type: 'forgotten', receipt })
  const project = Math.max(...rows().map((row) => row.project_id))
  await memory.projects.delete('acme')
  expect(rows().filter((row) => row.project_id === project)).toEqual([])
  file.close()
})

test('a reader whose user or project was forgotten as a whole is told that it missed changes', async () => {
  const memory = await openForTest()
  const [acme, ada] = [memory.project('acme'), memory.for({ project: 'acme', user: 'ada' })]
  const bystander = memory.project('other')
  await memory.for({ project: 'other' }).append('talk', line('one'))
  const { place: ofOther } = await bystander.changes()
  await ada.append('talk', line('one'))
  const [{ place }, { place: ofAda }] = [await acme.changes(), await ada.changes()]
  await ada.forget({ all: true })
  expect(await ada.changes({ after: ofAda })).toMatchObject({ changes: [], missed: true })
  await ada.append('talk', line('two'))
  expect(await ada.changes({ after: ofAda })).toMatchObject({ changes: [], missed: true })
  expect((await acme.changes({ after: place })).missed).toBe(false)
  await memory.projects.delete('acme')
  expect(await acme.changes({ after: place })).toMatchObject({ changes: [], missed: true })
  await ada.append('talk', line('three'))
  expect(await acme.changes({ after: place })).toMatchObject({ changes: [], missed: true })
  expect(await bystander.changes({ after: ofOther })).toMatchObject({ changes: [], missed: false })
})

test('rows older than 30 days go with a later append, and a reader from before is told that it missed changes', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const memory = await openForTest({ clock })
  const ada = memory.for('ada')
  await ada.append('talk', line('zero'))
  const { place: early } = await ada.changes()
  await ada.append('talk', line('one'))
  clock.advance(31 * 86_400_000)
  const { place: before } = await ada.changes()
  for (let at = 0; at < 256; at += 1) await ada.append('talk', line(`line ${at}`))
  expect(await ada.changes({ after: early })).toMatchObject({ changes: [], missed: true })
  const later = await ada.changes({ after: before, limit: 1_000 })
  expect(later).toMatchObject({ missed: false })
  expect(later.changes).toHaveLength(256)
})

test('a place tells nothing of other projects: those of now differ each time, and no number can be read from them', async () => {
  const memory = await openForTest()
  const acme = memory.project('acme')
  await memory.for({ project: 'acme' }).append('talk', line('one'))
  const places = await Promise.all(Array.from({ length: 20 }, async () => (await acme.changes()).place))
  expect(new Set(places).size).toBeGreaterThan(15)
  expect(places.every((place) => /^[\w-]{22}$/.test(place))).toBe(true)
})

test('a place that this store did not give is refused', async () => {
  const memory = await openForTest()
  const [one, two] = [memory.project('acme'), (await openForTest()).project('acme')]
  const { place } = await two.changes()
  for (const after of ['', 'x', place, 'A'.repeat(22), '../../etc/passwd00000000'])
    expect(await rejection(one.changes({ after })), after).toBeInstanceOf(InvalidOption)
})

test('an imported memory is told as appended: a change for each run of a session’s messages', async () => {
  const memory = await openForTest()
  const [ada, bo] = [memory.for('ada'), memory.for('bo')]
  await ada.append('one', [line('a'), line('b')])
  await ada.append('two', line('c'))
  const { place } = await bo.changes()
  const { id } = await bo.import(await Array.fromAsync(ada.export()))
  await bo.imports.accept(id)
  const told = (await allAfter(bo, place)).filter(({ type }) => type === 'appended')
  expect(told.map(({ session, messages }) => [session, messages?.length])).toEqual([
    ['one', 2],
    ['two', 1],
  ])
  const stored = [...(await bo.messages('one')), ...(await bo.messages('two'))].map(({ id }) => id)
  expect(told.flatMap(({ messages }) => messages)).toEqual(stored)
})
