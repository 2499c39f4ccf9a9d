import { AssertionError } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type StoreCheck, storeContract, type StoreInitializer } from '../../packages/varve/src/testing/index.ts'
import { droppingStores, hastyStores, losingStores, overwritingStores, readCommittedStores, undyingStores } from './broken-stores.ts'
import { snapshotStores } from './snapshot-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-races-'))
afterAll(() => rmSync(folder, { recursive: true }))

function checksOf(store: StoreInitializer, looksAt: StoreCheck['looksAt']): readonly StoreCheck[] {
  return storeContract(store).checks.filter((check) => check.looksAt === looksAt)
}

const isFoundOut = ({ run }: StoreCheck): Promise<void> => expect(run()).rejects.toBeInstanceOf(AssertionError)

/** Returns the checks of a kind that a store fails. */
async function failed(store: StoreInitializer, looksAt: StoreCheck['looksAt']): Promise<readonly string[]> {
  const names: string[] = []
  for (const { name, run } of checksOf(store, looksAt)) await run().catch(() => names.push(name))
  return names
}

/** One statement takes all erasures that nobody holds: it is right at any level. */
const safeAtAnyLevel = ['only one holder gets an erasure when several claim it at once, both when it is new and after its lease ran out']

describe('at READ COMMITTED programs that run at the same time are found to go wrong:', () => {
  const races = checksOf(readCommittedStores(folder), 'races')
  test.each(races.filter(({ name }) => !safeAtAnyLevel.includes(name)))('$name', isFoundOut)
  test('all but a claim of one statement', async () => {
    for (const { name, run } of races) if (safeAtAnyLevel.includes(name)) await run()
  })
})

describe('at REPEATABLE READ with retries', () => {
  test.each(checksOf(snapshotStores, 'races'))('$name', ({ run }) => run())
})

describe('a store that writes over what others wrote meanwhile is found out by each race:', () => {
  test.each(checksOf(overwritingStores(folder), 'races'))('$name', isFoundOut)
})

test.each([
  ['READ COMMITTED', readCommittedStores],
  ['writing over others', overwritingStores],
])('with %s each program by itself is right: the races alone tell', async (_, stores) => {
  // A sample is enough: the stores know nothing of the different programs.
  for (const [place, { run }] of checksOf(stores(folder), 'programs').entries()) if (place % 4 === 1) await run()
})

test('a store that loses a write now and then is found out', async () => {
  expect((await failed(losingStores(folder), 'races')).length).toBeGreaterThan(10)
})

test('a store whose close drops what was accepted is found out', async () => {
  expect(await failed(droppingStores(folder), 'closing')).toEqual([
    'a close answers every call that was accepted before it, or refuses it with MemoryClosed',
  ])
})

test('a store that answers after it was closed is found out', async () => {
  expect(await failed(undyingStores(folder), 'closing')).toContain(
    'a closed store refuses calls with MemoryClosed, and closing it again does nothing',
  )
})

test('a store that acknowledges before it has written is found out', async () => {
  expect(await failed(hastyStores(folder), 'durability')).toContain(
    'after a close, the store holds every acknowledged write and no refused one',
  )
})
