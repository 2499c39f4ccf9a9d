import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { storeContract } from '../../packages/varve/src/testing/index.ts'
import { awaitingStores } from './awaiting-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-awaiting-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(['at its beginning', 'at its first write'] as const)(
  'a store that awaits at every step, and locks %s, keeps the store contract',
  (locking) => {
    const { checks, absent } = storeContract(awaitingStores(folder, locking))
    test.each(checks)('$name', ({ run }) => run())
    test('in all of its parts', () => expect(absent).toEqual([]))
  },
)
