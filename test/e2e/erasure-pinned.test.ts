import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

/** Opens a reader in the middle of a transaction, which holds the write-ahead log as it was. */
function pin(store: string): () => void {
  const reader = new Database(store)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM message').get()
  const release = (): void => {
    if (reader.open) reader.close()
  }
  onTestFinished(release)
  return release
}

async function withSecrets(memory: Memory): Promise<string[]> {
  const secrets = Array.from({ length: 5 }, () => canaryText(2_000))
  await memory.for('ada').append(
    'talk',
    secrets.map((content) => ({ role: 'user' as const, content })),
  )
  await memory.for('ada').append('other', { role: 'user', content: 'the ferry leaves at nine' })
  return secrets
}

// requirement: P3.2
test('while a reader pins the log a forget is done logically, pending physically, says why, and upkeep finishes it later', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const secrets = await withSecrets(memory)
  const ada = memory.for('ada')
  const release = pin(store)
  const receipt = await ada.forget({ session: 'talk' })
  expect(receipt).toMatchObject({
    counts: { message: 5, session: 1 },
    logical: 'done',
    physical: 'pending',
    reason: expect.stringMatching(/reader/),
  })
  expect((await ada.recall(secrets[0] ?? '')).hits).toEqual([])
  expect(await ada.messages('talk')).toEqual([])
  expect(tracesOf(secrets, store)).not.toEqual([])
  expect(await memory.upkeep.run()).toMatchObject({ erasures: 0, embedded: 0, settled: false })
  const status = await memory.upkeep.status()
  expect(status).toMatchObject({
    backlog: { erasures: 1 },
    oldestDue: receipt.at,
    failures: [{ kind: 'erasure', id: receipt.id, reason: receipt.reason }],
  })
  expect(status.failures[0]?.attempts).toBeGreaterThan(1)
  expect(await memory.doctor()).toMatchObject({ ok: false })
  release()
  expect(await memory.upkeep.run()).toMatchObject({ erasures: 1, embedded: 0, settled: true })
  expect(await memory.receipts.get(receipt.id)).toMatchObject({ physical: 'done', doneAt: expect.any(Number) })
  expect(await memory.receipts.get(receipt.id)).not.toHaveProperty('reason')
  expect(tracesOf(secrets, store)).toEqual([])
  expect(await memory.doctor()).toMatchObject({ ok: true })
})

test('what is forgotten after the reader came and before it left is finished together, replacements too', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const secrets = await withSecrets(memory)
  const ada = memory.for('ada')
  const release = pin(store)
  const [first, second, ...rest] = await ada.messages('talk')
  const replaced = await ada.replace(first?.id ?? '', 'nothing to see here')
  const forgotten = await ada.forget({ messages: [second?.id ?? ''] })
  const both = [replaced.receipt, forgotten]
  expect(both.map(({ physical }) => physical)).toEqual(['pending', 'pending'])
  release()
  const third = await ada.forget({ messages: rest.map(({ id }) => id) })
  expect(third.physical).toBe('done')
  for (const { id } of both) expect((await memory.receipts.get(id)).physical).toBe('done')
  expect(tracesOf(secrets, store)).toEqual([])
})

test('an erasure that was pending at a close is finished by the next one who opens the store, who never knew the words', async () => {
  const store = newStore()
  const first = await openMemory({ store, upkeep: 'manual' })
  const secrets = await withSecrets(first)
  const release = pin(store)
  const { id, physical } = await first.for('ada').forget({ session: 'talk' })
  await first.close()
  expect(physical).toBe('pending')
  expect(tracesOf(secrets, store)).not.toEqual([])
  release()
  const second = await openForTest({ store })
  expect((await second.receipts.get(id)).physical).toBe('pending')
  expect(await second.upkeep.run()).toMatchObject({ erasures: 1, embedded: 0, settled: true })
  expect((await second.receipts.get(id)).physical).toBe('done')
  expect(tracesOf(secrets, store)).toEqual([])
  expect((await second.for('ada').recall('ferry')).hits).toHaveLength(1)
})

test('upkeep in the background finishes it by itself, and says so', async () => {
  const store = newStore()
  const memory = await openForTest({ store, upkeep: 'background' })
  const secrets = await withSecrets(memory)
  const release = pin(store)
  const { id } = await memory.for('ada').forget({ session: 'talk' })
  const events = memory.events()
  release()
  for await (const event of events) if (event.type === 'erased') break
  expect((await memory.receipts.get(id)).physical).toBe('done')
  expect(tracesOf(secrets, store)).toEqual([])
})

test('a lease that a dead process held does not keep an erasure from being finished once it is over', async () => {
  const store = newStore()
  const clock = new ManualClock()
  const memory = await openForTest({ store, clock })
  const secrets = await withSecrets(memory)
  const release = pin(store)
  const { id } = await memory.for('ada').forget({ session: 'talk' })
  const other = new Database(store)
  other.prepare("UPDATE receipt SET lease_holder = 'dead', lease_until = ?").run(clock.now() + 60_000)
  other.close()
  release()
  expect(await memory.upkeep.run()).toMatchObject({ erasures: 0, embedded: 0, settled: false })
  clock.advance(60_000)
  expect(await memory.upkeep.run()).toMatchObject({ erasures: 1, embedded: 0, settled: true })
  expect((await memory.receipts.get(id)).physical).toBe('done')
  expect(tracesOf(secrets, store)).toEqual([])
})

test('a store in memory has no bytes to wait for', async () => {
  const memory = await openForTest()
  await withSecrets(memory)
  expect(await memory.for('ada').forget({ all: true })).toMatchObject({ physical: 'done', counts: { message: 6, session: 2 } })
})
