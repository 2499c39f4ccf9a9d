import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { storeContract } from '../../packages/varve/src/testing/index.ts'
import { sqliteStores } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('SQLite in a file keeps the store contract', () => {
  const { checks, absent } = storeContract(sqliteStores(folder))
  test.each(checks)('$name', ({ run }) => run())
  test('in all of its parts', () => expect(absent).toEqual([]))
})

describe('SQLite in memory keeps the store contract', () => {
  const { checks, absent } = storeContract(sqliteStores(undefined))
  test.each(checks)('$name', ({ run }) => run())
  test('but for what outlives a close', () => expect(absent).toHaveLength(5))
})

test('a store that breaks a promise is found out', async () => {
  const honest = sqliteStores(undefined)
  const forgetful = storeContract({
    durable: false,
    open: async (place) => ({
      ...(await honest.open(place)),
      write: async (program) => {
        const store = await honest.open(place)
        const result = await store.write(program)
        await store.close()
        return result
      },
    }),
  })
  const outcomes = await Promise.allSettled(forgetful.checks.map(({ run }) => run()))
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(15)
})
