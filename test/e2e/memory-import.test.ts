import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Memory, type Receipt, type UserMemory, verifyReceipt } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel } from '../../packages/varve/src/testing/hashed-embedding-model.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { differences, everythingOf } from '../fixtures/memory/everything.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { bytesOf, rowCount } from '../fixtures/memory/store-files.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const layers = { bank: true, documents: true, notes: true }
const options = { layers, embeddingModel: false, languageModel: false } as const

async function talkOf(ada: UserMemory, memory: Memory): Promise<void> {
  await ada.append('monday', [
    { role: 'user', content: 'I live in Oslo and my cat is called Tuna.', id: 'm1', at: '2026-04-01' },
    { role: 'assistant', content: 'Noted.', metadata: { b: 1 } },
    { role: 'user', content: 'My secret harbour is Zanzibar.', at: '2026-04-02' },
  ])
  await ada.append('tuesday', { role: 'user', content: 'I moved to Bergen. Always answer in French.', at: '2026-04-05' })
  await ada.blocks.set('habits', 'tea')
  await ada.documents.edit('Cats', '- Tuna is a cat')
  await ada.facts.add({ predicate: 'likes', object: 'tea' })
  await memory.upkeep.run({ all: true })
}

const linesOf = (from: { export(): AsyncIterable<string> }): Promise<string[]> => Array.fromAsync(from.export())

/** A stranger's sessions share nothing: so sessions, and the profile that lists them, differ in that. */
const isOfContent = (difference: string): boolean => !/^(sessions|profile)/.test(difference)

interface Two {
  readonly clock: ManualClock
  readonly memory: Memory
  readonly other: Memory
  readonly ada: UserMemory
  readonly copy: UserMemory
}

async function two(): Promise<Two> {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const [memory, other] = [await openForTest({ ...options, clock }), await openForTest({ ...options, clock })]
  const [ada, copy] = [memory, other].map((one) => one.for({ project: 'pier', user: 'ada' }))
  if (ada === undefined || copy === undefined) throw new TypeError('two handles')
  await talkOf(ada, memory)
  return { clock, memory, other, ada, copy }
}

test('lines of another store wait: shown, neither found nor in a context, until they are accepted', async () => {
  const { clock, ada, copy } = await two()
  const lines = await linesOf(ada)
  const imported = await copy.import(lines)
  expect(imported).toMatchObject({ state: 'waiting', trust: 'none', from: { project: 'pier', user: 'ada' }, stored: {} })
  expect((await copy.recall('Tuna', { kinds: ['message', 'gist', 'fact', 'block', 'document', 'bank', 'notes'] })).hits).toEqual([])
  expect((await copy.context({ query: 'Tuna' })).text).not.toContain('Tuna')
  expect(await copy.sessions.list()).toEqual([])
  const [waiting] = await copy.imports.list()
  expect(waiting).toMatchObject({ id: imported.id, lines: lines.length - 1, counts: { message: 4 } })
  const shown = await copy.imports.get(imported.id)
  expect(shown.texts[0]).toEqual({ kind: 'message', text: 'I live in Oslo and my cat is called Tuna.' })
  expect(await copy.imports.accept(imported.id)).toMatchObject({ stored: { message: 4 }, leftOut: {} })
  expect(await copy.imports.list()).toEqual([])
  expect(differences(await everythingOf(ada, clock), await everythingOf(copy, clock)).filter(isOfContent)).toEqual([])
})

test('of an import that waits, the first 20 texts are shown, 500 characters of each and no half of one', async () => {
  const { ada, copy } = await two()
  // The 500th and the 501st unit are one character.
  await ada.append(
    'long',
    Array.from({ length: 30 }, () => ({ role: 'user' as const, content: `${'x'.repeat(499)}🚢${'y'.repeat(100)}` })),
  )
  const { id } = await copy.import(await linesOf(ada))
  const { texts } = await copy.imports.get(id)
  expect(texts).toHaveLength(20)
  for (const { text } of texts) expect([text.length <= 500, text.isWellFormed()]).toEqual([true, true])
  expect(texts.at(-1)?.text).toBe(`${'x'.repeat(499)}\ufffd`)
})

test('an import is discarded with its lines, and another user sees nothing of it', async () => {
  const { ada, copy, other } = await two()
  const { id } = await copy.import(await linesOf(ada))
  const bob = other.for({ project: 'pier', user: 'bob' })
  expect(await bob.imports.list()).toEqual([])
  for (const call of [() => bob.imports.get(id), () => bob.imports.accept(id), () => bob.imports.discard(id)])
    expect(await rejection(call())).toMatchObject({ code: 'NOT_FOUND' })
  const receipt = await copy.imports.discard(id)
  expect(receipt).toMatchObject({ counts: { import: 1 }, physical: 'done', erased: { what: 'imports' } })
  expect(await other.receipts.get(receipt.id)).toEqual(receipt)
  expect(await other.receipts.verify(receipt)).toMatchObject({ state: 'verified' })
  expect(await rejection(copy.imports.get(id))).toMatchObject({ code: 'NOT_FOUND' })
  expect(await rejection(copy.imports.discard(id))).toMatchObject({ code: 'NOT_FOUND' })
})

test.each(['session', 'messages', 'before', 'all', 'project', 'replace', 'member'] as const)(
  'a forget by %s takes away the imports that wait',
  async (by) => {
    const { ada, memory } = await two()
    const store = newStore()
    const other = await openForTest({ ...options, store })
    const bob = other.for({ project: 'pier', user: 'bob' })
    await bob.append('talk', { role: 'user', content: 'Hello ferry.', at: '2026-01-01' })
    await memory.project('pier').blocks.set('rules', 'Zanzibar')
    const from = by === 'member' ? memory.project('pier') : ada
    const into = by === 'member' ? other.project('pier') : bob
    await into.import(await linesOf(from))
    expect(await into.imports.list()).toHaveLength(1)
    const id = (await bob.messages('talk'))[0]?.id ?? ''
    const forget = {
      session: () => bob.forget({ session: 'talk' }),
      messages: () => bob.forget({ messages: [id] }),
      before: () => bob.forget({ before: '2026-02-01' }),
      all: () => bob.forget({ all: true }),
      project: () => other.projects.delete('pier'),
      replace: () => bob.replace(id, 'Hello.'),
      member: () => bob.forget({ messages: [id] }),
    }
    await forget[by]()
    for (const table of ['import', 'import_lines', 'import_place']) expect(rowCount(store, table), table).toBe(0)
    expect(await into.imports.list()).toEqual([])
  },
)

test('lines are taken in pieces that end anywhere, as texts or bytes', async () => {
  const { ada, copy, clock } = await two()
  const bytes = Buffer.from((await linesOf(ada)).join(''))
  const pieces = Array.from({ length: Math.ceil(bytes.length / 97) }, (_, at) => bytes.subarray(at * 97, (at + 1) * 97))
  await copy.import(pieces, { accept: true })
  expect(differences(await everythingOf(ada, clock), await everythingOf(copy, clock)).filter(isOfContent)).toEqual([])
})

const broken: readonly [string, (lines: string[]) => string[], number, RegExp][] = [
  ['a changed word', (lines) => lines.with(5, (lines[5] ?? '').replace(/"at":(\d)/, '"at":9')), 6, /changed/],
  ['a line less', (lines) => lines.toSpliced(7, 1), 8, /missing/],
  ['a line more', (lines) => lines.toSpliced(7, 0, lines[7] ?? ''), 9, /added/],
  ['two lines that changed places', (lines) => lines.with(4, lines[6] ?? '').with(6, lines[4] ?? ''), 5, /moved/],
  ['no end', (lines) => lines.slice(0, -1), -1, /ends here/],
  ['a header that is none', (lines) => ['{"kind":"message"}\n', ...lines.slice(1)], 1, /begins with its header|session|id/],
  ['a line that is not JSON', (lines) => [lines[0] ?? '', 'hello\n', ...lines.slice(1)], 2, /not JSON|added/],
]

test.each(broken)('nothing is stored of an export with %s, and its line is named', async (_, change, line, reason) => {
  const { ada, copy } = await two()
  const lines = change(await linesOf(ada))
  for (const accept of [false, true]) {
    const error = await rejection(copy.import(lines, { accept }))
    expect(error).toMatchObject({ code: 'EXPORT_BROKEN', line: line < 0 ? lines.length + 1 : line })
    expect(String(error)).toMatch(reason)
  }
  expect(await copy.sessions.list()).toEqual([])
  expect(await copy.imports.list()).toEqual([])
})

test('lines that were changed are applied only if the caller says so, and are nobody’s word then', async () => {
  const { ada, copy } = await two()
  const lines = (await linesOf(ada)).map((line) => line.replace('Tuna', 'Rex'))
  expect(await copy.import(lines, { accept: 'changed' })).toMatchObject({ state: 'applied', trust: 'changed', stored: { message: 4 } })
  expect((await copy.messages('monday'))[0]?.content).toContain('Rex')
})

test('a forgotten message does not come back with an older export, nor does anything that rests on it', async () => {
  const { memory, ada } = await two()
  const lines = await linesOf(ada)
  const id = (await ada.messages('monday'))[2]?.id ?? ''
  await ada.forget({ messages: [id] })
  const kinds = ['message', 'gist', 'fact', 'block', 'document', 'bank', 'notes'] as const
  for (let times = 0; times < 2; times += 1) {
    expect(await ada.import(lines)).toMatchObject({ state: 'applied', trust: 'store', forgotten: 1 })
    await memory.upkeep.run({ all: true })
    expect((await ada.recall('secret harbour Zanzibar', { kinds })).hits.filter(({ text }) => text.includes('Zanzibar'))).toEqual([])
  }
  await ada.forget({ all: true })
  // Four messages, a block, a document and a fact.
  expect(await ada.import(lines)).toMatchObject({ forgotten: 7 })
  expect((await ada.recall('Zanzibar Tuna Bergen', { kinds })).hits.filter(({ text }) => /Zanzibar|Bergen/.test(text))).toEqual([])
  expect(JSON.stringify(await Array.fromAsync(ada.export()))).not.toContain('Zanzibar')
  expect(await ada.import(lines, { restoreForgotten: true })).toMatchObject({ forgotten: 0, stored: { message: 4 } })
  expect((await ada.messages('monday'))[2]?.id).toBe(id)
})

test('ids that were forgotten in one store are refused in the next: by an export, an append, and a further one', async () => {
  const { memory, other, ada, copy } = await two()
  const before = await linesOf(ada)
  const third = await openForTest(options)
  const far = third.for({ project: 'pier', user: 'ada' })
  for (const { id } of (await ada.messages('monday')).filter((_, at) => at !== 1)) await ada.forget({ messages: [id] })
  const after = await linesOf(ada)
  expect(after.join('')).not.toMatch(/Zanzibar|"m1"/)
  await copy.import(after, { accept: true })
  await far.import(await linesOf(copy), { accept: true })
  for (const [store, one] of [
    [other, copy],
    [third, far],
  ] as const) {
    expect(await one.append('monday', { role: 'user', content: 'I live in Oslo and my cat is called Tuna.', id: 'm1' })).toMatchObject({
      messages: [],
      forgotten: ['m1'],
    })
    expect(await one.import(before, { accept: true })).toMatchObject({ forgotten: 2 })
    await store.upkeep.run({ all: true })
    expect((await one.recall('Zanzibar')).hits.filter(({ text }) => text.includes('Zanzibar'))).toEqual([])
  }
  await memory.close()
})

test('an import that was cut at any line, and begun again, ends in the same state', async () => {
  const { clock, ada } = await two()
  const lines = await linesOf(ada)
  const whole = await everythingOf(ada, clock)
  for (let cut = 1; cut < lines.length; cut += 7) {
    await using other = await openForTest({ ...options, clock })
    const copy = other.for({ project: 'pier', user: 'ada' })
    expect(await rejection(copy.import(lines.slice(0, cut), { accept: true }))).toMatchObject({ code: 'EXPORT_BROKEN' })
    await copy.import(lines, { accept: true })
    expect(differences(whole, await everythingOf(copy, clock)).filter(isOfContent), String(cut)).toEqual([])
  }
})

/** Accepts an import, and stops that after some of its lines. */
async function stopHalfWay(copy: UserMemory, id: string): Promise<void> {
  const stop = new AbortController()
  const stopped = rejection(copy.imports.accept(id, { signal: stop.signal }))
  while ((await copy.imports.get(id)).applied === 0);
  stop.abort()
  expect(await stopped).toMatchObject({ code: 'CANCELLED' })
}

test('an accepted import that is stopped goes on where it was, by accept or by import', async () => {
  const { clock, ada, copy } = await two()
  await ada.append(
    'long',
    Array.from({ length: 950 }, (_, place) => ({ role: 'user' as const, content: `I like the number ${place}.` })),
  )
  const lines = await linesOf(ada)
  const { id } = await copy.import(lines)
  await stopHalfWay(copy, id)
  expect(await copy.imports.list()).toMatchObject([{ id, state: 'applying', lines: expect.any(Number) }])
  await copy.import(lines, { accept: true })
  expect(await copy.imports.list()).toEqual([])
  expect(differences(await everythingOf(ada, clock), await everythingOf(copy, clock)).filter(isOfContent)).toEqual([])
})

test('an import that was stopped half way is listed with its state, and discarded: what was applied stays, and is whole', async () => {
  const { ada, copy, other } = await two()
  await ada.append(
    'long',
    Array.from({ length: 950 }, (_, place) => ({ role: 'user' as const, content: `I like the number ${place}.` })),
  )
  const { id } = await copy.import(await linesOf(ada))
  expect(await copy.imports.list()).toMatchObject([{ id, state: 'waiting', applied: 0 }])
  await stopHalfWay(copy, id)
  const [{ applied = 0 } = {}] = await copy.imports.list()
  expect(await copy.imports.get(id)).toMatchObject({ state: 'applying', applied, counts: {} })
  const { counts } = await copy.imports.discard(id)
  expect([counts, await copy.imports.list()]).toEqual([{ import: 1 }, []])
  const there = (await Array.fromAsync(copy.timeline())).length
  expect(there).toBeLessThan(954)
  // No session is held any more: upkeep reads what came.
  expect(await other.upkeep.run({ all: true })).toMatchObject({ settled: true })
  expect(await copy.import(await linesOf(ada), { accept: true })).toMatchObject({ stored: { message: 954 - there } })
})

test('lines that were cut off while they came are listed, and discarded', async () => {
  const { ada, copy } = await two()
  const lines = await linesOf(ada)
  async function* cutOff(): AsyncGenerator<string> {
    yield* lines.slice(0, -1)
    expect(await copy.imports.list()).toMatchObject([{ state: 'coming', lines: 0 }])
    await copy.imports.discard((await copy.imports.list())[0]?.id ?? '')
    yield lines.at(-1) ?? ''
  }
  expect(await rejection(copy.import(cutOff(), { accept: true }))).toMatchObject({ code: 'NOT_FOUND' })
  expect([await copy.imports.list(), await copy.sessions.list()]).toEqual([[], []])
})

test('an import into a memory that goes on merges: what was written here stays, and is told', async () => {
  const { ada, copy } = await two()
  await copy.append('monday', [
    { role: 'user', content: 'Here I talk of walnuts.' },
    { role: 'user', content: 'And of chestnuts.' },
  ])
  await copy.blocks.set('habits', 'coffee')
  await copy.documents.edit('Cats', '- Rex is a cat')
  await copy.facts.add({ predicate: 'likes', object: 'coffee' })
  const imported = await copy.import(await linesOf(ada), { accept: true })
  expect(imported).toMatchObject({ stored: { message: 4 }, kept: { block: 1, page: 1 } })
  expect((await copy.blocks.get('habits'))?.text).toBe('coffee')
  expect((await copy.documents.read('Cats'))?.content).toContain('Rex')
  const talk = await copy.messages('monday')
  expect(talk.map(({ content }) => content.slice(0, 10))).toEqual(['Here I tal', 'And of che', 'I live in ', 'Noted.', 'My secret '])
  expect(new Set(talk.map(({ seq }) => seq)).size).toBe(5)
  expect((await ada.messages('monday')).every(({ id }) => talk.some((one) => one.id === id))).toBe(true)
  expect((await copy.facts.list()).map(({ object }) => object)).toEqual(expect.arrayContaining(['coffee', 'tea']))
})

test('one export is taken into two users’ memories of one store, and neither takes from the other', async () => {
  const { ada, other, copy } = await two()
  const lines = await linesOf(ada)
  const bob = other.for({ project: 'pier', user: 'bob' })
  await copy.import(lines, { accept: true })
  expect(await bob.import(lines, { accept: true })).toMatchObject({ stored: { message: 4, block: 1, page: expect.any(Number) } })
  const before = await copy.profile()
  await bob.forget({ all: true })
  expect(await copy.profile()).toEqual(before)
  expect((await copy.blocks.get('habits'))?.text).toBe('tea')
})

test('a project’s export brings its blocks, documents and settings, and its shared bank where the store vouches for it', async () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const pair = generateKeyPairSync('ed25519')
  const signingKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const trust = [pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()]
  const memory = await openForTest({ ...options, clock })
  const [acme, bob] = [memory.project('acme'), memory.for({ project: 'acme', user: 'bob' })]
  await acme.bank.setSharing(true, { acknowledge: true })
  await acme.settings.set({ timeZone: 'Europe/Oslo' })
  clock.advance(60_000)
  await bob.append('talk', { role: 'user', content: 'We decided that the ferry leaves at nine from the pier.', name: 'Bob' })
  await acme.blocks.set('rules', 'be kind')
  await acme.documents.edit('Ferry', '- It leaves at nine')
  clock.advance(3_600_000)
  await memory.upkeep.run({ all: true })
  const [ofBob, ofAcme] = [await Array.fromAsync(bob.export({ signingKey })), await Array.fromAsync(acme.export({ signingKey }))]
  expect((await acme.bank.render()).text).toContain('ferry')
  const [trusting, wary] = [await openForTest({ ...options, clock }), await openForTest({ ...options, clock })]
  await trusting.for({ project: 'acme', user: 'bob' }).import(ofBob, { trust })
  await trusting.project('acme').import(ofAcme, { trust })
  const there = trusting.project('acme')
  expect(await there.bank.render()).toEqual(await acme.bank.render())
  expect(await there.settings.get()).toEqual(await acme.settings.get())
  expect(await Array.fromAsync(there.blocks.list())).toEqual(await Array.fromAsync(acme.blocks.list()))
  expect(await there.documents.read('Ferry')).toEqual(await acme.documents.read('Ferry'))
  const stranger = wary.project('acme')
  expect(await stranger.import(ofAcme, { accept: true })).toMatchObject({ leftOut: { project: 1, item: expect.any(Number) } })
  expect((await stranger.bank.render()).text).not.toContain('ferry')
  expect(withoutVersion(await stranger.settings.get())).toEqual({})
  expect((await stranger.blocks.get('rules'))?.text).toBe('be kind')
  expect(await wary.project('acme').users()).toEqual([])
})

test('an import keeps from which message on a session is shared, and a project’s choice to share assistants’ answers', async () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const pair = generateKeyPairSync('ed25519')
  const signingKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const trust = [pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()]
  const [memory, other] = [await openForTest({ ...options, clock }), await openForTest({ ...options, clock })]
  const [acme, bob] = [memory.project('acme'), memory.for({ project: 'acme', user: 'bob' })]
  const say = (content: string) => bob.append('talk', { role: 'user', content })
  const settle = async (one: Memory) => {
    clock.advance(3_600_000)
    await one.upkeep.run({ all: true })
  }
  await say('The boiler came from Odense.')
  clock.advance(60_000)
  await acme.bank.setSharing(true, { acknowledge: true })
  clock.advance(60_000)
  await acme.bank.setSharing(true, { assistants: true, by: 'grace', acknowledge: true })
  await bob.sessions.share('talk', true)
  await say('The ladder came from Skagen.')
  await settle(memory)
  const [ofBob, ofAcme] = [await Array.fromAsync(bob.export({ signingKey })), await Array.fromAsync(acme.export({ signingKey }))]
  const [there, copy] = [other.project('acme'), other.for({ project: 'acme', user: 'bob' })]
  const carol = other.for({ project: 'acme', user: 'carol' })
  await carol.append('own', { role: 'user', content: 'The anchor came from Ribe.' })
  await carol.sessions.share('own', true)
  await carol.append('own', { role: 'user', content: 'The kettle came from Vejle.' })
  await copy.import(ofBob, { trust })
  await there.import(ofAcme, { trust })
  expect((await there.sharing()).assistants).toEqual((await acme.sharing()).assistants)
  expect((await there.sharing()).assistants).toMatchObject({ by: 'grace' })
  expect((await there.sharing()).members.find(({ user }) => user === 'bob')).toEqual((await acme.sharing()).members[0])
  // What was shared goes on; what another member said here while nothing was shared stays theirs.
  for (const one of [memory.project('acme'), there]) await one.bank.rebuild()
  await settle(memory)
  await settle(other)
  const { text } = await there.bank.render()
  expect(text).toContain('Skagen')
  expect(text).not.toMatch(/Odense|Ribe|Vejle/)
  expect(text).toBe((await acme.bank.render()).text)
  // A stranger's lines bring neither.
  const wary = await openForTest({ ...options, clock })
  await wary.for({ project: 'acme', user: 'bob' }).import(ofBob, { accept: true })
  await wary.project('acme').import(ofAcme, { accept: true })
  expect(await wary.project('acme').sharing()).toMatchObject({ on: false })
})

test('an exported receipt says what was erased and is signed: it verifies in its store, and by an Ed25519 key', async () => {
  const pair = generateKeyPairSync('ed25519')
  const signingKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const memory = await openForTest({ ...options, signingKey })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  await talkOf(ada, memory)
  const { id } = await ada.forget({ session: 'tuesday' })
  const line = (await linesOf(ada)).find((one) => one.startsWith('{"kind":"receipt"')) ?? ''
  const receipt: Receipt = JSON.parse(line)
  expect(receipt).toMatchObject({ id, erased: { what: 'messages' } })
  expect(line).not.toContain('tuesday')
  expect(await memory.receipts.verify(receipt)).toMatchObject({ state: 'verified', by: [{ by: 'store' }, { by: 'ed25519' }] })
  expect(verifyReceipt(receipt, pair.publicKey)).toMatchObject({ state: 'verified' })
  expect(verifyReceipt({ ...receipt, at: receipt.at + 1 }, pair.publicKey)).toMatchObject({ state: 'failed' })
  const other = await openForTest(options)
  expect(await other.receipts.verify(receipt)).toMatchObject({ state: 'unknown' })
})

test('receipts of an owner’s erasures are exported with them, and no store takes another’s for its own', async () => {
  const { ada, copy, memory, other } = await two()
  await memory.for({ project: 'pier', user: 'bob' }).append('talk', { role: 'user', content: 'Hello.' })
  await memory.for({ project: 'pier', user: 'bob' }).forget({ session: 'talk' })
  const receipt = await ada.forget({ session: 'tuesday' })
  const lines = await linesOf(ada)
  const told = lines.filter((line) => line.startsWith('{"kind":"receipt"')).map((line): unknown => JSON.parse(line))
  expect(told).toMatchObject([{ id: receipt.id, counts: receipt.counts }])
  expect(await copy.import(lines, { accept: true })).toMatchObject({ leftOut: { receipt: 1 } })
  expect(await other.receipts.list()).toEqual([])
})

test('the answers are equal with vectors too, once both have them', async () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const withVectors = { ...options, clock, embeddingModel: hashedEmbeddingModel() }
  const [memory, other] = [await openForTest(withVectors), await openForTest(withVectors)]
  const [ada, copy] = [memory.for('ada'), other.for('ada')]
  await talkOf(ada, memory)
  await copy.import(ada.export(), { accept: true })
  await other.upkeep.run({ all: true })
  expect(differences(await everythingOf(ada, clock), await everythingOf(copy, clock)).filter(isOfContent)).toEqual([])
})

test('after a forget the bytes of an import that waited are gone from the files', async () => {
  const { ada } = await two()
  const store = newStore()
  const memory = await openForTest({ ...options, store })
  const bob = memory.for({ project: 'pier', user: 'bob' })
  await bob.append('talk', { role: 'user', content: 'Hello ferry.' })
  await bob.import(await linesOf(ada))
  const bytes = (): string =>
    bytesOf(store)
      .map((file) => file.bytes.toString('latin1'))
      .join('')
  expect(bytes()).toContain('Zanzibar')
  expect(await bob.forget({ session: 'talk' })).toMatchObject({ physical: 'done' })
  expect(bytes()).not.toContain('Zanzibar')
})
