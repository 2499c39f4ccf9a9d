import { expect, test } from 'vitest'
import type { Fact, UserMemory } from '../../packages/varve/src/index.ts'
import { publicMethods } from '../../packages/varve/src/testing/isolation/public-methods.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { callsOfUser } from '../fixtures/memory/every-call.ts'

const said =
  'My aunt Philomena keeps the zeppelin museum in Friedrichshafen and closes its upper gallery every second Thursday of ' +
  'November, except for members of the rowing club.'

const objects = (facts: readonly Fact[]): string => facts.map(({ object }) => object).join('\n')

/** Every public method of a user whose answer is noted, with a way to be shown what was said. It returns the words. */
const noted: Readonly<Record<string, (ada: UserMemory) => Promise<string>>> = {
  recall: async (ada) => (await ada.recall('zeppelin museum gallery')).hits[0]?.text ?? '',
  context: async (ada) => (await ada.context({ query: 'zeppelin museum gallery' })).text,
  'bank.render': async (ada) => (await ada.bank.render()).text,
  'bank.search': async (ada) => (await ada.bank.search('zeppelin museum gallery')).hits[0]?.text ?? '',
  'gists.get': async (ada) => (await ada.gists.get('past'))?.text ?? '',
  'gists.recall': async (ada) => (await ada.gists.recall('zeppelin museum gallery')).hits[0]?.text ?? '',
  'documents.read': async (ada) => (await ada.documents.read('Museum'))?.content ?? '',
  'documents.recollect': async (ada) => (await ada.documents.recollect('zeppelin museum gallery', { minScore: 0 }))[0]?.passage ?? '',
  'facts.recall': async (ada) => (await ada.facts.recall('zeppelin museum gallery')).hits[0]?.text ?? '',
  'facts.list': async (ada) => objects(await ada.facts.list()),
  'facts.query': async (ada) => objects(await ada.facts.query({ predicate: 'said' })),
  'facts.around': async (ada) => objects(await ada.facts.around('I')),
  'instructions.list': async (ada) => (await ada.instructions.list())[0]?.text ?? '',
  'notes.get': async (ada) => (await ada.notes.get('past'))?.content ?? '',
  'readings.next': async (ada) => (await ada.readings.next()).reading?.prompt ?? '',
}

const log = 'the talk itself, read in pages for screens and copies: it would push out what was shown lately'
const pages = 'read in pages for screens: a note of each page would push out what was shown lately'
const past = 'the past of an item, for a person who looks for a change'
const summary = 'a summary of a whole memory, for a person: a context shows its facts, and is noted'
const ownWords = 'nobody said a block in a conversation: there is no original that an echo could hide'
const names = 'names, numbers and times'
const writes = 'a write: it answers with what it was given, or with a receipt'

/** Every other public method, with the reason why its answer is not noted. */
const unnoted: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['messages', 'timeline', 'follow', 'export'].map((name) => [name, log])),
  ...Object.fromEntries(['gists.list', 'bank.entries', 'notes.list'].map((name) => [name, pages])),
  ...Object.fromEntries(
    ['gists.revisions', 'documents.revisions', 'notes.revisions', 'blocks.revisions', 'bank.history', 'facts.history', 'facts.merges'].map(
      (name) => [name, past],
    ),
  ),
  profile: summary,
  showForget: 'words that a person is about to have erased',
  ...Object.fromEntries(['blocks.list', 'blocks.get'].map((name) => [name, ownWords])),
  ...Object.fromEntries(
    [
      'sessions.list',
      'sessions.get',
      'documents.list',
      'bank.stats',
      'settings.get',
      'gists.pending',
      'notes.due',
      'previewForget',
      'changes',
    ].map((name) => [name, names]),
  ),
  ...Object.fromEntries(
    [
      ...['append', 'replace', 'distil', 'import', 'forget', 'confirmForget', 'settings.set'],
      ...['imports.accept', 'imports.discard', 'pendingForget.confirm', 'pendingForget.dismiss'],
      ...['sessions.ensure', 'sessions.rename', 'sessions.share', 'sessions.delete'],
      ...['blocks.set', 'blocks.append', 'blocks.delete', 'blocks.reorder', 'blocks.restore'],
      ...['gists.write', 'gists.distil', 'gists.restore', 'bank.pin', 'bank.correct', 'bank.delete', 'bank.clear', 'bank.rebuild'],
      ...['bank.restore', 'facts.add', 'facts.correct', 'facts.retract', 'facts.restore', 'facts.unmerge', 'facts.merge'],
      ...['instructions.add', 'instructions.edit', 'instructions.restore', 'instructions.withdraw'],
      ...['documents.edit', 'documents.restore', 'documents.delete', 'documents.memorize'],
      ...['readings.done'],
      ...['notes.update', 'notes.edit', 'notes.restore', 'notes.delete'],
    ].map((name) => [name, writes]),
  ),
  ...Object.fromEntries(
    ['contexts.list', 'contexts.get', 'contexts.compare'].map((name) => [name, 'what a context shows is noted when it is shown']),
  ),
  ...Object.fromEntries(
    ['imports.list', 'imports.get'].map((name) => [name, 'somebody’s text that waits: nothing of it is remembered yet']),
  ),
  'pendingForget.list': 'what the person asked to forget is erased when it is confirmed, with its echoes',
  compact: 'it gives back the conversation that it was given, with notes of the same session',
  shouldCompact: 'it counts the tokens of what it is given',
  standing: 'it gives back ids that it was given',
  tools: 'its tools make the calls of the handle',
  'blocks.tools': 'its tools make the calls of blocks',
  'documents.tools': 'its tools make the calls of documents',
  'facts.tools': 'its tools make the calls of facts',
  'instructions.tools': 'its tools make the calls of instructions',
}

/** A user who said it, with every layer made of it. */
async function told(): Promise<UserMemory> {
  const memory = await openForTest({
    embeddingModel: false,
    layers: { gists: true, facts: true, bank: true, documents: true, notes: true },
  })
  await memory.project('default').settings.set({ readings: {} })
  const ada = memory.for('ada')
  const { messages } = await ada.append('past', { role: 'user', content: said })
  await ada.distil('past')
  await ada.documents.edit('Museum', `- ${said}`)
  await ada.notes.edit('past', `# Museum\n\n- ${said}`)
  await ada.facts.add({ predicate: 'said', object: said, sources: [{ message: messages[0]?.id ?? '' }] })
  await ada.instructions.add(`Always remember this: ${said}`)
  return ada
}

test('of every public method of a user it is decided whether what it shows is noted', async () => {
  const memory = await openForTest()
  const methods = publicMethods(memory.for('ada'), ['calls'])
  expect([...Object.keys(noted), ...Object.keys(unnoted)].toSorted()).toEqual(methods)
  expect(Object.keys(callsOfUser(memory.for('ada'))).filter((name) => !methods.includes(name))).toEqual([])
})

for (const [name, show] of Object.entries(noted))
  test(`what ${name} showed is known when it comes back: the original ranks first, and the echo is no gist and no fact`, async () => {
    const ada = await told()
    const text = await show(ada)
    expect(text).toMatch(/upper gallery every second Thursday/)
    for (const [session, content] of Object.entries({ plain: text, json: JSON.stringify({ result: text }) })) {
      await ada.append(session, [
        { role: 'tool', content },
        { role: 'assistant', content: `As I found: ${text}` },
      ])
      for (const message of await ada.messages(session)) expect(message.recalled?.length, `${session} ${message.role}`).toBeGreaterThan(0)
      await ada.distil(session)
      expect((await ada.gists.get(session))?.text ?? '').not.toMatch(/gallery/)
    }
    const { hits } = await ada.recall('zeppelin museum gallery')
    expect(hits.map(({ session }) => session)).toEqual(['past'])
    const facts = await ada.facts.list()
    expect(facts.flatMap(({ sources }) => sources.map(({ session }) => session)).filter((session) => session !== 'past')).toEqual([])
  })

test('what a project’s handle shows is noted for nobody: every read of it is of a partition without talk', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const [acme, ada] = [memory.project('acme'), memory.for({ project: 'acme', user: 'ada' })]
  await acme.documents.edit('Museum', `- ${said}`)
  await acme.blocks.set('museum', said)
  expect((await acme.documents.read('Museum'))?.content).toContain(said)
  expect((await acme.documents.recollect('zeppelin museum gallery', { minScore: 0 }))[0]?.passage).toContain(said)
  await acme.bank.search('zeppelin museum gallery')
  await acme.bank.render()
  await ada.append('talk', { role: 'assistant', content: said })
  expect((await ada.messages('talk'))[0]).not.toHaveProperty('recalled')
  // The same document, read by a member, is noted for the member alone.
  await ada.documents.read('Museum')
  for (const [user, isEcho] of [
    ['ada', true],
    ['bob', false],
  ] as const) {
    const member = memory.for({ project: 'acme', user })
    await member.append('later', { role: 'assistant', content: said })
    expect('recalled' in ((await member.messages('later'))[0] ?? {}), user).toBe(isEcho)
  }
})

test('a person who says again what they read is not taken for an echo', async () => {
  const ada = await told()
  await noted['documents.read']?.(ada)
  await ada.append('again', { role: 'user', content: said })
  expect((await ada.messages('again'))[0]).not.toHaveProperty('recalled')
})

for (const name of ['documents.read', 'facts.recall', 'facts.query', 'facts.around', 'gists.get', 'instructions.list', 'notes.get'])
  test(`what ${name} showed and was then erased is not noted, and what was noted goes with a forget`, async () => {
    const ada = await told()
    await noted[name]?.(ada)
    await ada.forget({ all: true })
    await ada.append('after', { role: 'assistant', content: said })
    expect((await ada.messages('after'))[0]).not.toHaveProperty('recalled')
    const later = await told()
    await noted[name]?.(later)
    await later.append('after', { role: 'assistant', content: said })
    expect((await later.messages('after'))[0]).toHaveProperty('recalled')
    await later.forget({ all: true })
    await later.append('anew', { role: 'assistant', content: said })
    expect((await later.messages('anew'))[0]).not.toHaveProperty('recalled')
  })
