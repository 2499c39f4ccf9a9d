import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { ExportInterrupted, type Memory, type UserMemory } from '../../packages/varve/src/index.ts'
import { ed25519Key } from '../../packages/varve/src/signing/keys.ts'
import { LineCheck } from '../../packages/varve/src/signing/line-check.ts'
import { type AnyRecord, checkedRecord } from '../../packages/varve/src/transfer/records.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

const layers = { bank: true, documents: true, notes: true }

/** The records of an export, each checked by its schema. Seals are left out. */
function recordsOf(lines: readonly string[]): AnyRecord[] {
  return lines.flatMap((line) => {
    expect(line.endsWith('\n')).toBe(true)
    const value: object = JSON.parse(line)
    if ('seal' in value) return []
    const checked = checkedRecord(value)
    expect(checked, line).not.toHaveProperty('fault')
    return 'record' in checked ? [checked.record] : []
  })
}

async function talkOf(ada: UserMemory): Promise<void> {
  await ada.append('monday', [
    { role: 'user', content: 'I live in Oslo.\r\n\tÅse says \u202ehi\u202c \u0007', id: 'm1', at: '2026-04-01', name: 'Ada' },
    { role: 'assistant', content: 'Noted.', metadata: { b: 1, a: [null, 1.5] }, thread: 'side' },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'My cat is Tuna.' },
        { type: 'data', 10: 'x', 2: 'y' },
      ],
    },
  ])
  await ada.blocks.set('habits', 'tea')
  await ada.blocks.set('habits', 'tea, then coffee')
  await ada.documents.edit('Cats', '- Tuna is a cat')
  await ada.facts.add({ predicate: 'likes', object: 'tea' })
  await ada.instructions.add('Always answer in French.')
}

async function exported(memory: Memory, from: { export(): AsyncIterable<string> }): Promise<string[]> {
  await memory.upkeep.run({ all: true })
  return Array.fromAsync(from.export())
}

test('an export is lines of the published schema, with everything of the owner, whole and signed', async () => {
  const memory = await openForTest({ layers })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  await talkOf(ada)
  const lines = await exported(memory, ada)
  const records = recordsOf(lines)
  const kinds = new Set(records.map(({ kind }) => kind))
  for (const kind of [
    'owner',
    'session',
    'message',
    'block',
    'block-revision',
    'page',
    'page-revision',
    'part',
    'item',
    'fact',
    'instruction',
    'reading',
  ])
    expect(kinds, kind).toContain(kind)
  expect(records[0]).toMatchObject({
    kind: 'header',
    format: 'varve-export',
    version: 1,
    project: 'pier',
    owner: { kind: 'user', name: 'ada' },
  })
  expect(records.at(-1)).toMatchObject({ kind: 'trailer', lines: records.length - 1, counts: { message: 3, 'block-revision': 2 } })
  const check = new LineCheck({ purpose: 'export' })
  for (const line of lines) check.add(line.slice(0, -1))
  expect(check.end()).toMatchObject({ state: 'unknown', by: [{ by: 'store' }] })
})

test('messages are exported byte for byte, and no line has a sign that a terminal obeys', async () => {
  const memory = await openForTest()
  const ada = memory.for('ada')
  await talkOf(ada)
  const lines = await exported(memory, ada)
  expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  const told = recordsOf(lines).flatMap((record) => (record.kind === 'message' ? [record] : []))
  const stored = await ada.messages('monday')
  expect(
    told.map(({ content, externalId, metadata, parts, name, thread, at, seq, id }) => ({
      content,
      externalId,
      metadata,
      parts,
      name,
      thread,
      at,
      seq,
      id,
    })),
  ).toEqual(
    stored.map(({ content, externalId, metadata, parts, name, thread, at, seq, id }) => ({
      content,
      externalId,
      metadata,
      parts,
      name,
      thread,
      at,
      seq,
      id,
    })),
  )
  expect(JSON.stringify(told.map(({ parts, metadata }) => [parts, metadata]))).toBe(
    JSON.stringify(stored.map(({ parts, metadata }) => [parts, metadata])),
  )
})

test('a user’s export has no word of another user or of the project, and the project’s has no member’s own memory', async () => {
  const memory = await openForTest({ layers })
  const [ada, bob, acme, nobody] = [
    memory.for({ project: 'acme', user: 'ada' }),
    memory.for({ project: 'acme', user: 'bob' }),
    memory.project('acme'),
    memory.for({ project: 'acme' }),
  ]
  await acme.bank.setSharing(true, { acknowledge: true })
  for (const [owner, word] of [
    [ada, 'adaword'],
    [bob, 'bobword'],
    [nobody, 'anonword'],
  ] as const) {
    await owner.append(`talk-${word}`, { role: 'user', content: `I live in ${word}town and my secret thing is ${word}.` })
    await owner.blocks.set(`block-${word}`, `${word} in a block`)
    await owner.documents.edit(`Page ${word}`, `- ${word} on a page`)
    await owner.sessions.share(`talk-${word}`, false)
  }
  await bob.append('shared', { role: 'user', content: 'We decided that the sharedword ferry leaves at nine.' })
  await acme.blocks.set('rules', 'projectword')
  await acme.documents.edit('Ferry', '- projectword on a page')
  const [ofAda, ofBob, ofNobody, ofAcme] = [
    await exported(memory, ada),
    await exported(memory, bob),
    await exported(memory, nobody),
    await exported(memory, acme),
  ].map((lines) => lines.join(''))
  expect(ofAda).toContain('adaword')
  expect(ofAda).not.toMatch(/bobword|anonword|projectword|sharedword/)
  expect(ofBob).not.toMatch(/adaword|anonword|projectword/)
  expect(ofNobody).toContain('anonword')
  expect(ofNobody).not.toMatch(/adaword|bobword|projectword/)
  expect(ofAcme).toContain('projectword')
  expect(ofAcme).toContain('sharedword')
  expect(ofAcme).not.toMatch(/adaword|bobword|anonword/)
})

test('messages that come while an export runs are left out, and nothing in it rests on them', async () => {
  const memory = await openForTest({ layers })
  const ada = memory.for('ada')
  await ada.append(
    'monday',
    Array.from({ length: 700 }, (_, place) => ({ role: 'user' as const, content: `I like the number ${place}.` })),
  )
  await memory.upkeep.run({ all: true })
  const lines: string[] = []
  for await (const line of ada.export()) {
    lines.push(line)
    if (lines.length !== 10) continue
    await ada.append('monday', { role: 'user', content: 'My latecomer is a Zamboni.' })
    await ada.append('late', { role: 'user', content: 'I drive a Zamboni.' })
    await memory.upkeep.run({ all: true })
  }
  expect(lines.filter((line) => line.includes('Zamboni'))).toEqual([])
  const records = recordsOf(lines)
  expect(records.filter(({ kind }) => kind === 'message')).toHaveLength(700)
  for (const record of records) {
    if (record.kind === 'session') expect(record.seq).toBe(700)
    if (record.kind === 'part') expect(record.to).toBeLessThanOrEqual(700)
    if (record.kind === 'fact') for (const [session, seq] of record.sources) expect([session, seq <= 700]).toEqual(['monday', true])
    if (record.kind === 'reading') expect(record).toMatchObject({ session: 'monday', stale: true })
  }
})

test.each(['session', 'messages', 'before', 'all', 'replace'] as const)(
  'after a forget by %s an export says no more, and ends with ExportInterrupted',
  async (by) => {
    const memory = await openForTest({ layers })
    const ada = memory.for('ada')
    await ada.append(
      'monday',
      Array.from({ length: 600 }, (_, place) => ({
        role: 'user' as const,
        content: `I like the number ${place}.`,
        at: 1_700_000_000_000 + place,
      })),
    )
    await ada.append('tuesday', { role: 'user', content: 'My pin is forgetword.', at: 1_600_000_000_000 })
    await memory.upkeep.run({ all: true })
    const id = (await ada.messages('tuesday'))[0]?.id ?? ''
    const forget = {
      session: () => ada.forget({ session: 'tuesday' }),
      messages: () => ada.forget({ messages: [id] }),
      before: () => ada.forget({ before: 1_650_000_000_000 }),
      all: () => ada.forget({ all: true }),
      replace: () => ada.replace(id, 'nothing'),
    }
    const later: string[] = []
    let count = 0
    const reading = (async () => {
      for await (const line of ada.export()) {
        count += 1
        if (count === 20) await forget[by]()
        if (count > 20) later.push(line)
      }
    })()
    expect(await rejection(reading)).toBeInstanceOf(ExportInterrupted)
    expect(later.filter((line) => line.includes('forgetword'))).toEqual([])
  },
)

test('an export can be signed by a person’s own key as well, and a public key is refused', async () => {
  const memory = await openForTest()
  const ada = memory.for('ada')
  await ada.append('monday', { role: 'user', content: 'Hello ferry.' })
  const pair = generateKeyPairSync('ed25519')
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const check = new LineCheck({ purpose: 'export', ed25519: [ed25519Key(pair.publicKey, 'key')] })
  for await (const line of ada.export({ signingKey: pem })) check.add(line.slice(0, -1))
  expect(check.end()).toMatchObject({ state: 'verified', by: [{ by: 'ed25519' }] })
  const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  expect(await rejection(Array.fromAsync(ada.export({ signingKey: publicPem })))).toMatchObject({ code: 'OPTION_INVALID' })
})

test('an empty memory is exported as an empty one', async () => {
  const memory = await openForTest()
  expect(recordsOf(await exported(memory, memory.for('nobody'))).map(({ kind }) => kind)).toEqual(['header', 'trailer'])
  expect(recordsOf(await exported(memory, memory.project('nothing'))).map(({ kind }) => kind)).toEqual(['header', 'trailer'])
})
