import { AssertionError } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type StoreCheck, storeContract, type StoreInitializer } from '../../packages/varve/src/testing/index.ts'
import { awaitingStores } from './awaiting-store.ts'
import { droppingStores, hastyStores, losingStores, overwritingStores, readCommittedStores, undyingStores } from './broken-stores.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-races-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(['at its beginning', 'at its first write'] as const)('a store that awaits at every step, and locks %s, keeps the store contract', (locking) => {
  const { checks, absent } = storeContract(awaitingStores(folder, locking))
  test.each(checks)('$name', ({ run }) => run())
  test('in all of its parts', () => expect(absent).toEqual([]))
})

function checksOf(store: StoreInitializer, looksAt: StoreCheck['looksAt']): readonly StoreCheck[] {
  return storeContract(store).checks.filter((check) => check.looksAt === looksAt)
}

/** The checks of a kind that a store fails. */
async function failed(store: StoreInitializer, looksAt: StoreCheck['looksAt']): Promise<readonly string[]> {
  const names: string[] = []
  for (const { name, run } of checksOf(store, looksAt)) await run().catch(() => names.push(name))
  return names
}

/** One statement takes all erasures that nobody holds: it is right at any level. */
const safeAtAnyLevel = ['of those who claim an erasure at the same time one gets it, when it is new and when its lease has run out']

describe('at READ COMMITTED programs that run at the same time are found to go wrong:', () => {
  const races = checksOf(readCommittedStores(folder), 'races')
  test.each(races.filter(({ name }) => !safeAtAnyLevel.includes(name)))('$name', ({ run }) => expect(run()).rejects.toBeInstanceOf(AssertionError))
  test('all but a claim of one statement', async () => {
    for (const { name, run } of races) if (safeAtAnyLevel.includes(name)) await run()
  })
})

describe('a store that writes over what others wrote meanwhile is found out by each race:', () => {
  test.each(checksOf(overwritingStores(folder), 'races'))('$name', ({ run }) => expect(run()).rejects.toBeInstanceOf(AssertionError))
})

test.each([['READ COMMITTED', readCommittedStores], ['writing over others', overwritingStores]])('with %s each program by itself is right: the races alone tell', async (_, stores) => {
  expect(await failed(stores(folder), 'programs')).toEqual(['appends at the same time all stand, each in an order of its own'])
})

test('a store that loses a write now and then is found out', async () => {
  expect((await failed(losingStores(folder), 'races')).length).toBeGreaterThan(10)
})

test('a store whose close drops what was accepted is found out', async () => {
  expect(await failed(droppingStores(folder), 'closing')).toEqual(['calls that were accepted before a close are answered, or refused with MemoryClosed, when it is closed'])
})

test('a store that answers after it was closed is found out', async () => {
  expect(await failed(undyingStores(folder), 'closing')).toContain('calls after a close are refused with MemoryClosed, and closing again does nothing')
})

test('a store that acknowledges before it has written is found out', async () => {
  expect(await failed(hastyStores(folder), 'durability')).toContain('after a close there stands what was acknowledged, and nothing that was refused')
})
