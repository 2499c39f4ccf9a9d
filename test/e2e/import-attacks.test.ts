import { createHmac, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { type Ed25519Key, ed25519Key } from '../../packages/varve/src/signing/keys.ts'
import { LineChain } from '../../packages/varve/src/signing/line-chain.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const options = { embeddingModel: false, languageModel: false, layers: { bank: true, documents: true, notes: true } } as const

type Written = Readonly<Record<string, unknown>>

/** Seals records as a stranger would: whole, and with nobody's signature unless a key is given. */
function forged(records: readonly Written[], ed25519: readonly Ed25519Key[] = []): string {
  const chain = new LineChain({ purpose: 'export', ed25519 })
  const lines = records.map((record) => JSON.stringify(record))
  return [...lines.flatMap((line) => [line, ...chain.add(line)]), ...chain.end()].map((line) => `${line}\n`).join('')
}

/** Exports a memory, and gives its records to be changed. */
async function recordsOf(from: { export(): AsyncIterable<string> }): Promise<Written[]> {
  const records: Written[] = []
  for await (const line of from.export()) {
    const record: Written = JSON.parse(line)
    if (!('seal' in record)) records.push(record)
  }
  return records
}

async function victim(clock = new ManualClock(Date.UTC(2026, 3, 6, 9))) {
  const memory = await openForTest({ ...options, clock })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  await ada.append('monday', { role: 'user', content: 'I live in Oslo.', id: 'm1' })
  await ada.blocks.set('habits', 'tea')
  await ada.documents.edit('Cats', '- Tuna is a cat')
  await memory.upkeep.run({ all: true })
  return { memory, ada, clock }
}

const base = { session: 'talk', seq: 1, role: 'user', origin: 'person', at: 0, recordedAt: 0, language: 'en', content: 'Hello harbour.' }

async function headerOf(ada: UserMemory): Promise<Written> {
  return (await recordsOf(ada))[0] ?? {}
}

const malformed: readonly [string, Written][] = [
  ['a message of no origin', { kind: 'message', id: '01a2177c-33e7-709e-bf98-776f27f7af29', ...base, origin: 'god' }],
  ['an id that is none', { kind: 'message', ...base, id: '../../etc/passwd' }],
  ['a content with NUL', { kind: 'message', ...base, id: '01a2177c-33e7-709e-bf98-776f27f7af29', content: 'a\0b' }],
  [
    'a content that is too long',
    { kind: 'message', ...base, id: '01a2177c-33e7-709e-bf98-776f27f7af29', content: 'x'.repeat(1024 * 1024 + 1) },
  ],
  [
    'metadata that is too large',
    { kind: 'message', ...base, id: '01a2177c-33e7-709e-bf98-776f27f7af29', metadata: { x: 'x'.repeat(20_000) } },
  ],
  ['a message of next year', { kind: 'message', ...base, id: '01a2177c-33e7-709e-bf98-776f27f7af29', at: 8_000_000_000_000 }],
  ['an unknown kind', { kind: 'command', run: 'rm' }],
  ['an unknown field', { kind: 'name', name: 'a', entity: 'b', also: true }],
  ['a session that is a path', { kind: 'message', ...base, id: '01a2177c-33e7-709e-bf98-776f27f7af29', session: '..' }],
  ['a second header', { kind: 'header' }],
]

test.each(malformed)('a line with %s is named, and the store stays as it was', async (_, record) => {
  const { ada } = await victim()
  const header = await headerOf(ada)
  const before = await Array.fromAsync(ada.timeline())
  const error = await rejection(ada.import(forged([header, record]), { accept: true }))
  expect(error).toMatchObject({ code: 'EXPORT_BROKEN', line: 2 })
  expect(await Array.fromAsync(ada.timeline())).toEqual(before)
  expect(await ada.imports.list()).toEqual([])
})

test('another version, an empty text and a text that is no export are refused', async () => {
  const { ada } = await victim()
  const header = await headerOf(ada)
  expect(String(await rejection(ada.import(forged([{ ...header, version: 2 }]))))).toContain('version 2')
  expect(await rejection(ada.import(''))).toMatchObject({ code: 'EXPORT_BROKEN', line: 1 })
  expect(await rejection(ada.import('hello\n'))).toMatchObject({ code: 'EXPORT_BROKEN', line: 1 })
  expect(await rejection(Promise.resolve(Reflect.apply(ada.import, ada, [undefined])))).toMatchObject({ code: 'OPTION_INVALID' })
})

test('a stranger cannot take the id of another user’s message, block, page or gist, nor write into their partition', async () => {
  const { memory, ada } = await victim()
  const bob = memory.for({ project: 'pier', user: 'bob' })
  const records = (await recordsOf(ada)).map((record) =>
    'content' in record ? { ...record, content: `${String(record['content'])} Stolen.` } : record,
  )
  const before = [
    await ada.messages('monday'),
    await ada.blocks.get('habits'),
    await ada.documents.read('Cats'),
    await Array.fromAsync(ada.gists.list()),
  ]
  await bob.import(forged(records), { accept: true })
  expect([
    await ada.messages('monday'),
    await ada.blocks.get('habits'),
    await ada.documents.read('Cats'),
    await Array.fromAsync(ada.gists.list()),
  ]).toEqual(before)
  expect((await bob.blocks.get('habits'))?.id).not.toBe((await ada.blocks.get('habits'))?.id)
  expect((await bob.blocks.get('habits'))?.text).toContain('Stolen')
})

test('a stranger’s lines share nothing: neither by a session’s setting nor by its times', async () => {
  const { memory, ada, clock } = await victim()
  const acme = memory.project('pier')
  await acme.bank.setSharing(true, { acknowledge: true, backfill: true })
  const header = await headerOf(ada)
  const session = {
    kind: 'session',
    id: 'loud',
    share: 'shared',
    language: 'en',
    votes: {},
    seq: 1,
    // After the switch, as far as a stranger can say so.
    createdAt: clock.now() + 3_600_000,
    recordedAt: 0,
    main: { tokens: 0, calls: 0, pause: 0 },
  }
  const message = {
    kind: 'message',
    ...base,
    session: 'loud',
    id: '01a2177c-33e7-709e-bf98-776f27f7af29',
    content: 'We decided that everybody pays the captain.',
  }
  await ada.import(forged([header, session, message]), { accept: true })
  await memory.upkeep.run({ all: true })
  expect(await ada.sessions.get('loud')).toMatchObject({ share: false })
  expect((await acme.bank.render()).text).not.toContain('captain')
})

test('a stranger’s lines name no member as the speaker of a shared bank, and bring no settings and no receipts', async () => {
  const { memory, ada } = await victim()
  const acme = memory.project('pier')
  const header = { ...(await headerOf(ada)), owner: { kind: 'project' } }
  const item = {
    kind: 'item',
    id: '01a2177c-33e7-709e-bf98-776f27f7af29',
    type: 'bank',
    session: 'monday',
    member: 'ada',
    rung: 0,
    period: '2026/2026-04/2026-W14/2026-04-01',
    spans: [[1, 1]],
    parts: [1],
    sources: [[1]],
    handSeq: 0,
    pinned: true,
    messages: 1,
    conversations: 1,
    firstAt: 0,
    lastAt: 0,
    recordedAt: 0,
    writer: 'extractive',
    provisional: false,
    language: 'en',
    content: 'Ada said that the captain is paid.',
  }
  const settings = { kind: 'project', settings: { layers: { documents: false }, ceiling: { calls: 9 } }, sharingSince: 1, createdAt: 0 }
  const receipt = { kind: 'receipt', id: '01a2177c-33e7-709e-bf98-776f27f7af30', counts: { message: 1 }, physical: 'done', at: 0 }
  const { leftOut } = await acme.import(forged([header, settings, item, receipt]), { accept: true })
  expect(leftOut).toEqual({ project: 1, item: 1, receipt: 1 })
  expect((await acme.bank.render()).text).not.toContain('captain')
  expect(withoutVersion(await acme.settings.get())).toEqual({})
  expect(await rejection(memory.receipts.get('01a2177c-33e7-709e-bf98-776f27f7af30'))).toMatchObject({ code: 'NOT_FOUND' })
})

test('hashes of forgotten ids from elsewhere never push out those of this store', async () => {
  const { ada } = await victim()
  await ada.forget({ session: 'monday' })
  const header = await headerOf(ada)
  const digests = Array.from({ length: 1_000 }, (_, at) => at.toString(16).padStart(32, '0'))
  const lines = Array.from({ length: 260 }, (_, page) => ({
    kind: 'forgotten',
    keys: ['A'.repeat(43)],
    digests: digests.map((one) => `${page.toString(16).padStart(4, '0')}${one.slice(4)}`),
  }))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signed = forged([header, ...lines], [ed25519Key(privateKey, 'signingKey')])
  const { stored, leftOut } = await ada.import(signed, { trust: [publicKey.export({ type: 'spki', format: 'pem' }).toString()] })
  expect([stored['forgotten'], leftOut['forgotten']]).toEqual([250_000, 10_000])
  expect(await ada.append('monday', { role: 'user', content: 'I live in Oslo.', id: 'm1' })).toMatchObject({ forgotten: ['m1'] })
})

/** The key by which a stranger hashes ids that ada has yet to use. */
const strangersKey = Buffer.alloc(32, 7)

function guessed(session: string, ids: readonly string[]): Written {
  const digests = ids.map((id) =>
    createHmac('sha256', strangersKey)
      .update(JSON.stringify(['forgotten id', session, id]))
      .digest('hex'),
  )
  return { kind: 'forgotten', keys: [strangersKey.toString('base64url')], digests: digests.map((digest) => digest.slice(0, 32)) }
}

test('a stranger’s file that guesses ids drops no later append, and nothing that is newer than it', async () => {
  const { ada, memory, clock } = await victim()
  const header = { ...(await headerOf(ada)), exportedAt: clock.now() + 1_000_000_000_000 }
  const bundle = forged([header, guessed('monday', ['m1', 'm2', 'm3']), { ...guessed('next', ['m1']), upTo: header.exportedAt }])
  expect(await ada.import(bundle, { accept: true })).toMatchObject({ stored: { forgotten: 4 } })
  clock.advance(1)
  const before = { role: 'user', content: 'I sailed to Bergen.', at: clock.now() - 2 } as const
  for (const [session, id] of [
    ['monday', 'm3'],
    ['next', 'm1'],
  ] as const) {
    expect(await ada.append(session, { ...before, id })).toMatchObject({ forgotten: [id] })
    expect(await ada.append(session, { role: 'user', content: 'The ferry is late.', id, at: clock.now() })).toMatchObject({
      messages: [{}],
    })
  }
  // A further import of it, and what an export carries on, reach no further than the clock did.
  const lines = await Array.fromAsync(ada.export())
  await memory.projects.delete('pier')
  clock.advance(1)
  await ada.import(lines, { accept: true })
  const newer = { role: 'user', content: 'The ferry is early.', id: 'm2' } as const
  expect(await ada.append('monday', newer)).toMatchObject({ forgotten: ['m2'] })
  expect(await ada.append('monday', { ...newer, at: clock.now() })).toMatchObject({ messages: [{}] })
})

test('a passage that is not on its page, and a fact’s hidden words, are not taken from a stranger', async () => {
  const { memory, ada } = await victim()
  await ada.facts.add({ predicate: 'likes', object: 'tea' })
  const records = (await recordsOf(ada)).map((record) => {
    if (record['kind'] === 'item' && record['type'] === 'document') return { ...record, content: 'Everybody pays the captain.' }
    return record['kind'] === 'fact' ? { ...record, searched: { words: [['captain', 9]], length: 9, traits: 0 } } : record
  })
  const other = await openForTest(options)
  const copy = other.for({ project: 'pier', user: 'ada' })
  await copy.import(forged(records), { accept: true })
  const { hits } = await copy.recall('captain', { kinds: ['fact', 'document', 'gist', 'bank', 'notes'] })
  expect(hits).toEqual([])
  expect((await copy.recall('Tuna', { kinds: ['document'] })).hits).toHaveLength(1)
  await memory.close()
})

test('forgetting a forged instruction erases nothing that another user keeps under its id', async () => {
  const { memory, ada } = await victim()
  const mallory = memory.for({ project: 'pier', user: 'mallory' })
  await ada.distil('monday')
  const [entry] = await ada.bank.entries()
  const { id } = await ada.bank.delete(entry?.id ?? '')
  await mallory.instructions.add('Always name the pier.')
  const records = (await recordsOf(mallory)).flatMap((record) => {
    if (record['kind'] === 'instruction') return [{ ...record, id: entry?.id, content: 'Never name it.' }]
    return record['kind'] === 'header' ? [record] : []
  })
  await mallory.import(forged(records), { accept: true })
  expect((await mallory.instructions.list()).map((one) => one.id)).toContain(entry?.id)
  await mallory.forget({ all: true })
  await ada.bank.restore(id)
  expect((await ada.bank.entries()).map(({ bullets }) => bullets)).toEqual([entry?.bullets])
})

test("an item that a stranger forged with the id of a block to come does not keep the block's own import from its end", async () => {
  const { ada } = await victim()
  const lines = await recordsOf(ada)
  const block = lines.find(({ kind }) => kind === 'block')
  const memory = await openForTest(options)
  const mallory = memory.for({ project: 'pier', user: 'mallory' })
  await mallory.append('talk', { role: 'user', content: 'The pier was painted green.' })
  await mallory.distil('talk')
  const own = (await recordsOf(mallory)).map((record) =>
    record['kind'] === 'item' && record['type'] === 'gist' ? { ...record, id: block?.['id'] } : record,
  )
  await mallory.forget({ all: true })
  await mallory.import(forged(own), { accept: true, restoreForgotten: true })
  expect((await mallory.gists.list()).map((one) => one.id)).toEqual([block?.['id']])
  const again = memory.for({ project: 'pier', user: 'ada' })
  expect(await again.import(forged(lines), { accept: true })).toMatchObject({ state: 'applied', leftOut: {} })
  const { hits } = await again.recall('tea', { kinds: ['block'] })
  expect(hits.map(({ text }) => text)).toEqual(['tea'])
  await again.blocks.delete('habits')
  expect((await again.recall('tea', { kinds: ['block'] })).hits).toEqual([])
  expect(await mallory.gists.list()).toHaveLength(1)
})
