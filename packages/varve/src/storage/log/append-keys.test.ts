import { expect, test } from 'vitest'
import { partitionId, projectName, sessionName } from '../../scope/partition.ts'
import { findPartition } from '../partitions.ts'
import { answer, type Program } from '../program.ts'
import { execute } from '../sqlite/execute.ts'
import { migrate } from '../sqlite/migrate.ts'
import { openConnection } from '../sqlite/open-connection.ts'
import { forgetAppendsOfPartition, forgetAppendsOfSession, onceOf, storeOnce } from './append-keys.ts'
import type { Appended } from './appended.ts'
import { messageIdOf } from './messages.ts'
import { ensureSession, findSessionRow } from './sessions.ts'

const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const talk = sessionName('talk')
const once = onceOf('secret', { partition: ada, session: talk, key: 'k' }, [['one'], ['two']])

function open() {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'secret' } })
  const run = <Result>(program: Program<Result>) => execute(connection, program)
  const store = (before: number): Program<readonly Appended[]> =>
    answer([{ id: messageIdOf(new Uint8Array(16)), seq: before + 1, duplicate: false }])
  const part = (before: number) => run(storeOnce(ada, talk, once, { before, externalIds: [null] }, () => store(before), 0))
  run(ensureSession(ada, talk, {}, 0))
  return { connection, run, part }
}

test.each(['session', 'partition'])('the next part of a batch is not stored once its %s was forgotten', (what) => {
  const { connection, run, part } = open()
  expect(part(0)).toHaveLength(1)
  expect(part(0)).toBeUndefined()
  const partition = run(findPartition(ada))?.id ?? 0
  const session = run(findSessionRow(partition, talk))?.id ?? 0
  run(what === 'session' ? forgetAppendsOfSession(1, session) : forgetAppendsOfPartition(partition))
  expect(part(1)).toBeUndefined()
  expect(connection.prepare('SELECT length(request) FROM append_key').pluck().all()).toEqual([0])
  connection.close()
})

test('the number of a forgotten owner is below 0, and another for each owner and store', () => {
  const owners = [
    ada,
    partitionId(projectName('acme'), { kind: 'anonymous' }),
    partitionId(projectName('pier'), { kind: 'user', name: 'ada' }),
  ]
  const numbers = ['secret', 'other'].flatMap((secret) =>
    owners.map((partition) => onceOf(secret, { partition, session: talk, key: 'k' }, []).gone),
  )
  expect(new Set(numbers).size).toBe(6)
  expect(numbers.every((number) => Number.isSafeInteger(number) && number < 0)).toBe(true)
})
