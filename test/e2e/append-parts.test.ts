import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppendIncomplete, DiskFull } from '../../packages/varve/src/index.ts'
import { Appends } from '../../packages/varve/src/log/appends.ts'
import type { ValidMessage } from '../../packages/varve/src/messages/validate.ts'
import { logWrites } from '../../packages/varve/src/log/writes.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'

const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const [talk, elsewhere] = [sessionName('talk'), sessionName('elsewhere')]
const small = { messages: 2, characters: 200 }

const said = (content: string, externalId: string | null = null): ValidMessage => ({
  role: 'user',
  origin: 'person',
  name: null,
  externalId,
  thread: null,
  parts: null,
  metadata: null,
  content,
  saidAt: 5,
})
const many = (count: number): ValidMessage[] => Array.from({ length: count }, (_, at) => said(`It is ${at}.`, `id ${at}`))
const contents = (place: CountingPlace) =>
  place.rows('SELECT s.external_id AS session, content FROM message m JOIN session s ON s.id = m.session_id ORDER BY ord')

/** Everything in the store except the ids. */
const held = (place: CountingPlace) => [
  place.rows('SELECT ord, session_id, seq, content, external_id, tokens, recalled FROM message ORDER BY ord'),
  place.rows('SELECT * FROM message_terms ORDER BY ord'),
  place.rows('SELECT * FROM session ORDER BY id'),
  place.rows('SELECT * FROM partition ORDER BY id'),
]

test('a batch that is stored in parts is stored as in one, and told the same', async () => {
  const message = fc.record({
    content: fc.oneof(
      fc.constantFrom('Ein Schiff fährt nach Bergen.', 'The ferry leaves at nine.', 'ok'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).filter((text) => !text.includes('\0')),
    ),
    id: fc.option(fc.constantFrom('one', 'two', 'three')),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(message, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 3 }), async (batches) => {
      using inParts = new CountingPlace()
      using inOne = new CountingPlace()
      const [some, all] = [new Appends('key', small), new Appends('key')]
      for (const batch of batches) {
        const messages = batch.map(({ content, id }) => said(content, id))
        const told = await some.append(inParts, ada, talk, messages)
        const expected = await all.append(inOne, ada, talk, messages)
        const idless = (one: (typeof told)[number]) => ({ ...one, id: '' })
        expect(told.map(idless)).toEqual(expected.map(idless))
        expect(inParts.rows('SELECT count(*) AS n FROM message')).toEqual(inOne.rows('SELECT count(*) AS n FROM message'))
      }
      expect(held(inParts)).toEqual(held(inOne))
    }),
  )
})

const large: Readonly<Record<string, readonly ValidMessage[]>> = {
  '10,000 short messages': Array.from({ length: 10_000 }, () => said('ok')),
  '10,000 with ids': many(10_000),
  '12 of a MiB each': Array.from({ length: 12 }, (_, at) => said(`It is number ${at} of the ferry, `.repeat(34_000).slice(0, 1024 * 1024))),
  'parts of 30 MB': Array.from({ length: 10 }, () => ({
    ...said('here is the result'),
    parts: JSON.stringify([{ type: 'text', text: 'x'.repeat(3_000_000) }]),
  })),
}

// requirement: P5.11
test.each(Object.entries(large))('%s are appended in transactions of which none is long', async (_, batch) => {
  using place = new CountingPlace()
  place.transactions = []
  const appended = await logWrites.append(place, ada, talk, batch)
  expect(appended.map(({ seq }) => seq)).toEqual(batch.map((_one, at) => at + 1))
  // For each message: its row and its terms.
  expect(place.most('changed')).toBeLessThanOrEqual(2 * 1_000 + 10)
  const bytes = batch.reduce((sum, { content, parts }) => sum + content.length + (parts?.length ?? 0), 0)
  expect(place.transactions.length).toBeGreaterThanOrEqual(Math.ceil(Math.max(bytes / (3 * 1024 * 1024), batch.length / 1_000)))
})

test('others’ appends come between the parts of a long one, those to its session after it', async () => {
  using place = new CountingPlace()
  const appends = new Appends('key', small)
  await appends.append(place, ada, talk, [said('first')])
  const others: Promise<unknown>[] = []
  place.transactions = []
  place.before = async (n) => {
    if (n !== 1) return
    place.before = async () => undefined
    others.push(appends.append(place, ada, talk, [said('after it')]), appends.append(place, ada, elsewhere, [said('meanwhile')]))
    // It is written in its turn, which is now.
    await others[1]
  }
  await appends.append(place, ada, talk, many(5))
  await Promise.all(others)
  const order = contents(place)
  expect(order.filter((row) => JSON.stringify(row).includes('talk'))).toEqual(
    ['first', ...many(5).map(({ content }) => content), 'after it'].map((content) => ({ session: 'talk', content })),
  )
  expect(order.findIndex((row) => JSON.stringify(row).includes('meanwhile'))).toBeLessThan(order.length - 2)
})

test('when a part fails, the error says how many are stored, and with ids the same batch stores the rest', async () => {
  using place = new CountingPlace()
  const appends = new Appends('key', small)
  place.before = async (n) => {
    if (n === 2) throw new DiskFull({ store: 'file' })
  }
  const error = await rejection(appends.append(place, ada, talk, many(7)))
  expect(error).toBeInstanceOf(AppendIncomplete)
  expect(error).toMatchObject({ stored: 4, messages: 7, reasonCode: 'DISK_FULL', isRetryable: false, cause: expect.any(DiskFull) })
  expect(contents(place)).toHaveLength(4)
  place.before = async () => undefined
  const appended = await appends.append(place, ada, talk, many(7))
  expect(appended.map(({ duplicate }) => duplicate)).toEqual([true, true, true, true, false, false, false])
  expect(appended.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('when the first part fails, nothing is stored and the error is its own', async () => {
  using place = new CountingPlace()
  place.before = async () => {
    throw new DiskFull({ store: 'file' })
  }
  expect(await rejection(new Appends('key', small).append(place, ada, talk, many(7)))).toBeInstanceOf(DiskFull)
  expect(contents(place)).toEqual([])
})
