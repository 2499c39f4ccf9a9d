import { expect, onTestFinished, test } from 'vitest'
import { partitionId, projectName, sessionName } from '../scope/partition.ts'
import { execute } from '../storage/sqlite/execute.ts'
import type { WritingHere } from '../storage/here.ts'
import { migrate } from '../storage/sqlite/migrate.ts'
import { openConnection } from '../storage/sqlite/open-connection.ts'
import { monday } from '../testing/store/check.ts'
import { Appends, lengthPerWeight } from './appends.ts'
import { validMessages } from '../messages/validate.ts'

const ada = partitionId(projectName('default'), { kind: 'user', name: 'ada' })
const size = 100 * lengthPerWeight

/** A store of its own, and the weights of what was written. */
function opened(): { readonly here: WritingHere; readonly weights: readonly number[] } {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const weights: number[] = []
  const here: WritingHere = {
    now: monday,
    key: 'key',
    segmentBytes: 0,
    read: async (program) => execute(connection, program),
    write: async (program, weight = 1) => {
      weights.push(weight)
      return execute(connection, program())
    },
    keep: (_kind, make) => make(),
    eraseBytes: async () => undefined,
    makeRoom: async () => false,
  }
  onTestFinished(() => void connection.close())
  return { here, weights }
}

test.each([
  ['content', { content: 'x'.repeat(size) }],
  ['parts', { content: 'x', parts: [{ type: 'text', text: 'x'.repeat(size) }] }],
  ['metadata', { content: 'x', metadata: { note: 'x'.repeat(10 * lengthPerWeight) } }],
])('a commit’s bound counts the %s of a message', async (field, message) => {
  const { here, weights } = opened()
  await new Appends('key').append(here, ada, sessionName('talk'), validMessages({ role: 'user', ...message }, monday))
  expect(weights[0]).toBeGreaterThanOrEqual(field === 'metadata' ? 10 : 100)
})

test('a batch whose ids name many others is stored in parts', async () => {
  const { here, weights } = opened()
  const batchOf = (role: 'system' | 'user') =>
    validMessages(
      Array.from({ length: 200 }, (_, place) => ({ role, content: 'x', id: `goes-with:1:a:${'#2,'.repeat(20)}:${place}` })),
      monday,
    )
  const appends = new Appends('key')
  const bySystem = await appends.append(here, ada, sessionName('of the system'), batchOf('system'))
  expect(bySystem).toHaveLength(200)
  // Each names 21: 47 of them name under a thousand.
  expect(weights).toEqual([47, 47, 47, 47, 12])
  // A person's message goes with none, whatever its id.
  await appends.append(here, ada, sessionName('of a person'), batchOf('user'))
  expect(weights.slice(5)).toEqual([200])
})

test('appends of one session at once are stored in the order of the calls, whether their messages have ids or not', async () => {
  const { here, weights } = opened()
  // As a store that begins a transaction in a later turn: until then, appends without ids join each other.
  const later: WritingHere = {
    ...here,
    write: async (...given) => {
      await new Promise((resolve) => setImmediate(resolve))
      return here.write(...given)
    },
  }
  const appends = new Appends('key')
  const stored = await Promise.all(
    Array.from({ length: 12 }, (_, place) =>
      appends.append(
        later,
        ada,
        sessionName('talk'),
        validMessages({ role: 'user', content: `${place}`, ...(place % 4 === 2 ? { id: `m${place}` } : {}) }, monday),
      ),
    ),
  )
  expect(stored.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, place) => place + 1))
  // Each with an id has a transaction of its own, and those between have one together.
  expect(weights).toHaveLength(7)
})
