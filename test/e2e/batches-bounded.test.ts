import { expect, test } from 'vitest'
import { logWrites } from '../../packages/varve/src/log/writes.ts'
import { privacyWrites } from '../../packages/varve/src/privacy/writes.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'

const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const talk = sessionName('talk')
const count = 2_000

const batch = (from: number) =>
  Array.from({ length: count }, (_, at) => ({
    role: 'user' as const,
    origin: 'person' as const,
    name: null,
    externalId: `"${from + at}" é`,
    thread: null,
    parts: null,
    metadata: null,
    content: `It is ${from + at}.`,
    saidAt: 5,
  }))

test('an append looks up all external ids of its batch at once, and reports each that the session has', async () => {
  using place = new CountingPlace()
  const first = await logWrites.append(place, ada, talk, batch(0))
  const again = await logWrites.append(place, ada, talk, batch(0))
  expect(again).toEqual(first.map((one) => ({ ...one, duplicate: true })))
  expect(place.transactions.at(-1)).toMatchObject({ changed: 0 })
  expect(place.transactions.at(-1)?.statements).toBeLessThanOrEqual(10)
  const half = await logWrites.append(place, ada, talk, batch(count / 2))
  expect(half.filter(({ duplicate }) => duplicate)).toHaveLength(count / 2)
  expect(place.rows('SELECT count(*) AS messages, count(DISTINCT external_id) AS ids FROM message')).toEqual([
    { messages: 1.5 * count, ids: 1.5 * count },
  ])
})

test('a forget takes a fifth of a statement for each message, and tells readers of every one', async () => {
  using place = new CountingPlace()
  await logWrites.append(place, ada, talk, batch(0))
  place.transactions = []
  await privacyWrites.forget(place, ada, { session: talk })
  expect(place.most('statements')).toBeLessThanOrEqual(count / 5 + 100)
  expect(place.rows('SELECT ord FROM tombstone ORDER BY ord')).toEqual(Array.from({ length: count }, (_, at) => ({ ord: at + 1 })))
  expect(place.rows('SELECT ord FROM message UNION ALL SELECT ord FROM message_terms')).toEqual([])
})
