import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { LineChain } from '../../packages/varve/src/signing/line-chain.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

type Line = Record<string, unknown> & { readonly kind?: string; readonly is?: string; readonly type?: string }

const may = Date.UTC(2026, 4, 1)
const dayPath = '2026/2026-05/2026-W18/2026-05-01'

const header = (): Line => ({
  kind: 'header',
  format: 'varve-export',
  version: 1,
  id: randomUUID(),
  store: 'another',
  project: 'pier',
  owner: { kind: 'user', name: 'ada' },
  exportedAt: may,
  schema: 11,
  contents: [],
})

const session = (more: Line = {}): Line => ({
  kind: 'session',
  id: 'strange',
  share: 'unsaid',
  language: 'en',
  votes: {},
  seq: 1,
  createdAt: may,
  recordedAt: may,
  main: { tokens: 0, calls: 0, pause: 0 },
  ...more,
})

const message = (more: Line = {}): Line => ({
  kind: 'message',
  id: randomUUID(),
  session: 'strange',
  seq: 1,
  role: 'user',
  origin: 'person',
  at: may,
  recordedAt: may,
  language: 'en',
  content: 'The harbour has 12 lamps.',
  ...more,
})

const entry = (more: Line = {}): Line => ({
  kind: 'item',
  id: randomUUID(),
  type: 'bank',
  session: 'strange',
  rung: 0,
  period: dayPath,
  spans: [[1, 1]],
  sources: [[1]],
  handSeq: 0,
  pinned: false,
  messages: 1,
  conversations: 1,
  firstAt: may,
  lastAt: may,
  recordedAt: may,
  writer: 'extractive',
  provisional: false,
  language: 'en',
  content: 'A planted line.',
  ...more,
})

/** Seals lines as somebody without a key of the store would. */
function sealed(lines: readonly Line[]): string {
  const chain = new LineChain({ purpose: 'export' })
  const written = lines.map((line) => JSON.stringify(line)).flatMap((line) => [line, ...chain.add(line)])
  return [...written, ...chain.end(), ''].join('\n')
}

interface Opened {
  readonly clock: ManualClock
  readonly memory: Memory
  readonly ada: UserMemory
}

async function opened(): Promise<Opened> {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const memory = await openForTest({ clock, layers: { bank: true, documents: true }, embeddingModel: false, languageModel: false })
  return { clock, memory, ada: memory.for({ project: 'pier', user: 'ada' }) }
}

const accept = { accept: true } as const

test('lines with numbers and times that nothing here could go on from are refused, with their number', async () => {
  const { ada } = await opened()
  const page = { kind: 'page', id: randomUUID(), type: 'document', name: 'Lamps', maxChars: 9, revision: 1, createdAt: may, updatedAt: may }
  const revision = { kind: 'page-revision', page: page.id, revision: 1, writer: 'person', at: may, readFrom: 0, describedBy: 0, spans: [] }
  const block = { kind: 'block', id: randomUUID(), name: 'big', place: 1, revision: 1, createdAt: may, updatedAt: may }
  const hostile: readonly (readonly [Line, string])[] = [
    [session({ seq: Number.MAX_SAFE_INTEGER }), 'seq'],
    [message({ seq: Number.MAX_SAFE_INTEGER }), 'seq'],
    [message({ at: -8.64e15 }), 'at'],
    [message({ recordedAt: Date.UTC(2030, 0) }), 'recordedAt'],
    [session({ votes: { constructor: 9 } }), 'votes.constructor'],
    [entry({ firstAt: -8.64e15 }), 'firstAt'],
    [{ ...revision, description: '', authors: [[1, 1e12]] }, 'authors'],
    [{ ...block, maxChars: 0, content: 'x' }, 'maxChars'],
    [{ ...block, maxChars: 9, content: 'x'.repeat(100_001) }, 'content'],
  ]
  for (const [line, field] of hostile) {
    const refused = await rejection(ada.import(sealed([header(), line]), accept))
    expect(refused).toMatchObject({ code: 'EXPORT_BROKEN', line: 2 })
    expect(String(refused)).toContain(`${field}: `)
  }
  expect(await ada.sessions.list()).toEqual([])
})

test('a line that is nested too deep is refused with its number', async () => {
  const { ada } = await opened()
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const line = `${JSON.stringify(message()).slice(0, -1)},"parts":${deep}}`
  const chain = new LineChain({ purpose: 'export' })
  const written = [JSON.stringify(header()), line].flatMap((one) => [one, ...chain.add(one)])
  expect(await rejection(ada.import([...written, ...chain.end(), ''].join('\n'), accept))).toMatchObject({ code: 'EXPORT_BROKEN', line: 2 })
})

test('lines that this store signed for another owner wait, as a stranger’s do', async () => {
  const { memory, ada } = await opened()
  await ada.append('talk', { role: 'user', content: 'Send all invoices to me.' })
  const lines = await Array.fromAsync(ada.export())
  const [bob, pier] = [memory.for({ project: 'pier', user: 'bob' }), memory.project('pier')]
  for (const other of [bob, pier]) expect(await other.import(lines)).toMatchObject({ state: 'waiting', trust: 'none' })
  expect((await bob.recall('invoices')).hits).toEqual([])
  expect(await ada.import(lines)).toMatchObject({ state: 'applied', trust: 'store' })
})

test('two messages of one external id in one import are one message', async () => {
  const { ada } = await opened()
  const lines = [header(), session({ seq: 2 }), message({ externalId: 'm' }), message({ seq: 2, externalId: 'm', content: 'Another.' })]
  expect(await ada.import(sealed(lines), accept)).toMatchObject({ stored: { message: 1 }, duplicates: { message: 1 } })
  expect((await ada.messages('strange')).map(({ content }) => content)).toEqual(['The harbour has 12 lamps.'])
})

test('an entry at a place that no bank has is left out, and the bank is rendered', async () => {
  const { ada, memory, clock } = await opened()
  const places = ['', 'not-a-day', '2026-05-01', '2026/2026-05/2026-W18/2026-05-31', '9999/9999-99/9999-W99/9999-99-99']
  const lines = places.map((period) => entry({ period }))
  const digests = ['2026/2026-13', 'zzzz', '2026'].map((period) => entry({ period, rung: 3, session: undefined, children: [] }))
  const given = [header(), session(), message(), ...lines, ...digests, entry({ type: 'gist', rung: 2, children: [] })]
  expect(await ada.import(sealed(given), accept)).toMatchObject({ leftOut: { item: lines.length + digests.length + 1 } })
  clock.advance(3_600_000)
  await memory.upkeep.run({ all: true })
  expect((await ada.bank.render(500)).text).toContain('12 lamps')
})

test('an item of a strange session takes no place of one that is here, and covers none', async () => {
  const { ada, memory, clock } = await opened()
  await ada.append('own', { role: 'user', content: 'We rent 36 head torches from Nordlicht.' })
  clock.advance(3_600_000)
  await memory.upkeep.run({ all: true })
  const before = [await ada.gists.get('own'), await ada.bank.render(500)]
  const exported = await Array.fromAsync(ada.export())
  const items = exported.map((line): Line => JSON.parse(line)).filter(({ kind }) => kind === 'item')
  const [bank] = items.filter(({ type }) => type === 'bank')
  const instead = items.map((item) => ({
    ...item,
    session: 'strange',
    recordedAt: Number(item['recordedAt']) + 1,
    content: 'Evil.',
    parts: [],
  }))
  const children = [{ id: bank?.['id'], stands: true, covered: true }]
  const digest = {
    ...entry(),
    session: undefined,
    rung: 1,
    period: bank?.['period'],
    spans: [],
    sources: [[0]],
    children,
    content: 'Evil.',
  }
  const lines = [header(), session(), message(), ...instead, digest]
  expect(await ada.import(sealed(lines), accept)).toMatchObject({ kept: { item: items.length + 1 } })
  expect(await ada.gists.get('own')).toEqual(before[0])
  expect(await ada.bank.render(500)).toEqual(before[1])
})

test('a session of which no line says how far it was read is free for a reading at once', async () => {
  const { ada } = await opened()
  await ada.import(sealed([header(), session(), message()]), accept)
  await ada.distil('strange')
  expect((await ada.gists.get('strange'))?.text).toContain('12 lamps')
})

test('a shared entry of an older export brings no words back that a member forgot or replaced', async () => {
  for (const forget of ['session', 'replace', 'all'] as const) {
    const { ada, memory, clock } = await opened()
    const pier = memory.project('pier')
    await pier.bank.setSharing(true, { acknowledge: true })
    clock.advance(60_000)
    await ada.append('talk', { role: 'user', id: 'm', content: 'We decided that the ferry leaves from Zanzibar at nine.' })
    clock.advance(3_600_000)
    await memory.upkeep.run({ all: true })
    expect((await pier.bank.render(500)).text).toContain('Zanzibar')
    const lines = await Array.fromAsync(pier.export())
    if (forget === 'session') await ada.forget({ session: 'talk' })
    else if (forget === 'all') await ada.forget({ all: true })
    else await ada.replace({ session: 'talk', externalId: 'm' }, 'We decided that the ferry leaves from Oslo at nine.')
    await pier.import(lines)
    expect((await pier.bank.render(500)).text, forget).not.toContain('Zanzibar')
    await memory.upkeep.run({ all: true })
    expect((await pier.bank.render(500)).text, forget).not.toContain('Zanzibar')
  }
})

const pair = generateKeyPairSync('ed25519')
const signingKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const trust = [pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()]
const carried = async (from: Memory) => ({
  ofAda: await Array.fromAsync(from.for({ project: 'pier', user: 'ada' }).export({ signingKey })),
  ofPier: await Array.fromAsync(from.project('pier').export({ signingKey })),
})

/** A shared bank that tells of a session of two messages, and the exports of its member and its project. */
async function shared(older?: string) {
  const one = await opened()
  await one.memory.project('pier').bank.setSharing(true, { acknowledge: true })
  one.clock.advance(60_000)
  if (older !== undefined) await one.ada.append('older', { role: 'user', content: older })
  await one.ada.append('talk', [
    { role: 'user', id: 'm', content: 'We decided that the ferry leaves from Zanzibar at nine.' },
    { role: 'user', content: 'We decided that the crew sleeps in Bergen.' },
  ])
  one.clock.advance(3_600_000)
  await one.memory.upkeep.run({ all: true })
  expect((await one.memory.project('pier').bank.render(500)).text).toContain('Zanzibar')
  if (older !== undefined) await one.ada.forget({ session: 'older' })
  return { ...one, ...(await carried(one.memory)) }
}

test('a shared entry that a trusted key signed elsewhere brings no words back of a session that its member forgot here', async () => {
  const { ada, memory, ofAda, ofPier } = await shared()
  const { memory: other, ada: copy, clock } = await opened()
  clock.advance(86_400_000)
  await copy.import(ofAda, { trust })
  await other.project('pier').import(ofPier, { trust })
  expect((await other.project('pier').bank.render(500)).text).toContain('Zanzibar')
  await ada.forget({ session: 'talk' })
  const back = (await carried(other)).ofPier
  expect(await memory.project('pier').import(back, { trust })).toMatchObject({ trust: 'key', leftOut: { item: expect.any(Number) } })
  expect((await memory.project('pier').bank.render(500)).text).not.toContain('Zanzibar')
})

test('a shared entry of messages that are not here is left out', async () => {
  const { ofPier } = await shared()
  const { memory, ada } = await opened()
  await ada.append('talk', { role: 'user', content: 'Hello there.' })
  expect(await memory.project('pier').import(ofPier, { trust })).toMatchObject({ leftOut: { item: expect.any(Number) } })
  expect((await memory.project('pier').bank.render(500)).text).not.toContain('Zanzibar')
})

test('upkeep makes the shared entry anew that was left out, since its member has forgotten something else', async () => {
  const { ofAda, ofPier } = await shared('The cat sleeps in the cabin.')
  const { memory, ada, clock } = await opened()
  clock.advance(86_400_000)
  await ada.import(ofAda, { trust })
  const pier = memory.project('pier')
  expect(await pier.import(ofPier, { trust })).toMatchObject({ leftOut: { item: expect.any(Number) } })
  expect((await pier.bank.render(500)).text).not.toContain('Zanzibar')
  clock.advance(3_600_000)
  await memory.upkeep.run()
  expect((await pier.bank.render(500)).text).toContain('Zanzibar')
})

test('a session whose language cannot be told comes back: of signs, of code and of no words', async () => {
  for (const content of ['🚢🚢🚢', 'x'.repeat(60), 'zxqv'.repeat(20), 'const lamp = () => 7;']) {
    const { ada } = await opened()
    await ada.append('talk', { role: 'user', content })
    const { ada: copy, clock } = await opened()
    clock.advance(1)
    expect(await copy.import(await Array.fromAsync(ada.export({ signingKey })), { trust })).toMatchObject({ stored: { message: 1 } })
    expect((await copy.messages('talk')).map((message) => message.content)).toEqual([content])
  }
})

test('an export brings no consent: who shares nothing here shares nothing after an import of one who shared', async () => {
  const { ofAda } = await shared()
  const { memory, ada, clock } = await opened()
  clock.advance(86_400_000)
  await memory.project('pier').bank.setSharing(true, { acknowledge: true, backfill: true })
  await ada.settings.set({ share: false })
  await ada.import(ofAda, { trust })
  expect(await ada.settings.get()).toMatchObject({ share: false })
  clock.advance(3_600_000)
  await memory.upkeep.run({ all: true })
  expect((await memory.project('pier').bank.render(500)).text).not.toContain('Zanzibar')
})

test('a document of an older export does not come back with words of a message that was replaced', async () => {
  const { ada, memory, clock } = await opened()
  await ada.append('talk', {
    role: 'user',
    id: 'm',
    content: 'My boat is called Zanzibar and it costs 4000 euros. Zanzibar costs 60 euros a day. Zanzibar is in Porto.',
  })
  clock.advance(3_600_000)
  await memory.upkeep.run({ all: true })
  expect(JSON.stringify(await ada.documents.list())).toContain('Zanzibar')
  const lines = await Array.fromAsync(ada.export())
  await ada.replace({ session: 'talk', externalId: 'm' }, '[removed]')
  expect(await ada.import(lines)).toMatchObject({ kept: { message: 1 }, leftOut: { page: 1 } })
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('Zanzibar')
})
