import { expect, test } from 'vitest'
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

test.each([
  ['content', { content: 'x'.repeat(size) }],
  ['parts', { content: 'x', parts: [{ type: 'text', text: 'x'.repeat(size) }] }],
  ['metadata', { content: 'x', metadata: { note: 'x'.repeat(10 * lengthPerWeight) } }],
])('a commit’s bound counts the %s of a message', async (field, message) => {
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
  await new Appends('key').append(here, ada, sessionName('talk'), validMessages({ role: 'user', ...message }, monday))
  expect(weights[0]).toBeGreaterThanOrEqual(field === 'metadata' ? 10 : 100)
  connection.close()
})
