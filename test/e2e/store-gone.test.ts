import { existsSync, renameSync, rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { newStore, rejection } from '../fixtures/memory/open.ts'

const engines = ['inline', 'threads'] as const

test.each(engines)('a write into a file that was moved or deleted is never acknowledged: %s', async (engine) => {
  const store = newStore()
  const memory = await openMemory({ store, engine, upkeep: 'manual', embeddingModel: false, logger: { warn: () => undefined } })
  onTestFinished(() => memory.close())
  const ada = memory.for('ada')
  const tell = (content: string) => ada.append('talk', { role: 'user', content })
  await tell('one')
  renameSync(store, `${store}.away`)
  const refused = await Promise.allSettled([tell('lost'), tell('lost'), ada.messages('talk')])
  expect(refused.map((one) => one.status === 'rejected' && Reflect.get(Object(one.reason), 'code'))).toEqual(
    Array.from({ length: 3 }, () => 'STORE_GONE'),
  )
  expect(existsSync(store)).toBe(false)
  // It is the same file again.
  renameSync(`${store}.away`, store)
  await tell('two')
  expect((await ada.messages('talk')).map(({ content }) => content)).toEqual(['one', 'two'])
  for (const end of ['', '-wal', '-shm']) rmSync(`${store}${end}`, { force: true })
  expect(await rejection(tell('lost'))).toMatchObject({ code: 'STORE_GONE', isRetryable: true, store })
  // A file in its place is another store: what is known of the first is not true of it.
  await (await openMemory({ store, engine: 'inline', upkeep: 'manual', embeddingModel: false })).close()
  expect(await rejection(tell('lost'))).toMatchObject({ code: 'STORE_GONE' })
  expect(await rejection(ada.messages('talk'))).toMatchObject({ code: 'STORE_GONE' })
})
