import { expect, test } from 'vitest'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { epochsOf } from '../../packages/varve/src/storage/epochs.ts'
import { forget } from '../../packages/varve/src/storage/erase/erasure.ts'
import { contextKeys, saveContext } from '../../packages/varve/src/storage/log/contexts.ts'
import { appendMessages } from '../../packages/varve/src/storage/log/append.ts'
import { Needles } from '../../packages/varve/src/storage/needles.ts'
import { ensurePartition } from '../../packages/varve/src/storage/partitions.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { asPrepared, prepared } from '../../packages/varve/src/testing/store/check.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const told = 'Nando keeps the spare key behind the barometer in the old bait shop by the pier.'

/** Has a context shown to a session in which nothing was stored. */
async function shownOnly(ada: UserMemory, session: string): Promise<void> {
  await ada.append('talk', { role: 'user', content: told })
  const { text } = await ada.context({ session, query: 'where is the spare key?' })
  expect(text).toContain('barometer')
}

/** True when a session knows the words as an echo of what it was shown. */
async function isEchoIn(ada: UserMemory, session: string): Promise<boolean> {
  const { messages } = await ada.append(session, { role: 'assistant', content: told })
  const [message] = (await ada.messages(session)).filter(({ id }) => id === messages[0]?.id)
  return message?.recalled !== undefined
}

// requirement: P3.17
test.each([
  ['forget', (ada: UserMemory, session: string) => ada.forget({ session })],
  ['sessions.delete', (ada: UserMemory, session: string) => ada.sessions.delete(session)],
])('%s takes a session that only a context named: its name and the hashes of its words', async (_name, forget) => {
  const store = newStore()
  const memory = await openForTest({ store, embeddingModel: false })
  const ada = memory.for('ada')
  const [session, other] = [canary(), 'other']
  await shownOnly(ada, session)
  await ada.context({ session: other, query: 'where is the spare key?' })
  expect(tracesOf([session], store)).not.toEqual([])
  expect(await ada.previewForget({ session })).toEqual({ message: 0, context: 1 })
  expect(await forget(ada, session)).toMatchObject({ counts: { message: 0, context: 1 }, physical: 'done' })
  expect(tracesOf([session], store)).toEqual([])
  // The context of the other session stays, and knows the words in any session until it goes too.
  expect(await ada.previewForget({ session: other })).toEqual({ message: 0, context: 1 })
  expect(await isEchoIn(ada, 'a third')).toBe(true)
  await forget(ada, other)
  expect(await isEchoIn(ada, session)).toBe(false)
  expect(await ada.messages('talk')).toHaveLength(1)
})

test('another user’s session of this name, or a name that nobody used, is still not found', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const [ada, grace] = [memory.for('ada'), memory.for('grace')]
  await shownOnly(ada, 'shown')
  await grace.append('talk', { role: 'user', content: 'hello' })
  await expect(grace.forget({ session: 'shown' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(ada.forget({ session: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  // A part of it has no message to be found.
  await expect(ada.forget({ session: 'shown', before: Date.now() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await ada.forget({ session: 'shown' })
  await expect(ada.forget({ session: 'shown' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a message of another session that came after the search for such a session stays', () => {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const ada = partitionId(projectName('default'), { kind: 'user', name: 'ada' })
  const [session, other] = [sessionName('shown'), sessionName('talk')]
  const { id: owner } = execute(connection, ensurePartition(ada, 0))
  const record = { id: uuidv7(0), messages: [], shingles: new Uint8Array(0), epochs: execute(connection, epochsOf(ada)) }
  execute(connection, saveContext(ada, session, record, 0))
  execute(connection, appendMessages(ada, other, asPrepared([prepared(told)]), 0))
  const before = { owner, upTo: 0, meant: [] }
  const { receipt } = execute(connection, forget(ada, { session }, uuidv7(0), 0, new Needles(), before))
  expect(receipt.counts).toEqual({ message: 0, context: 1 })
  expect(connection.prepare('SELECT content FROM message').all()).toEqual([{ content: told }])
  connection.close()
})

test('a context that was under way when its session was forgotten is not remembered', () => {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const ada = partitionId(projectName('default'), { kind: 'user', name: 'ada' })
  const session = sessionName('shown')
  execute(connection, ensurePartition(ada, 0))
  const record = () => ({ id: uuidv7(0), messages: [], shingles: new Uint8Array(0), epochs: execute(connection, epochsOf(ada)) })
  execute(connection, saveContext(ada, session, record(), 0))
  const underWay = record()
  execute(connection, forget(ada, { session }, uuidv7(0), 0))
  execute(connection, saveContext(ada, session, underWay, 0))
  const owner = execute(connection, ensurePartition(ada, 0))
  expect(execute(connection, contextKeys(owner.id, session))).toEqual([])
  connection.close()
})
