import { describe, expect, test } from 'vitest'
import { storeContract } from '../../packages/varve/src/testing/index.ts'
import { postgresStores } from './postgres-store.ts'

const url = process.env['VARVE_TEST_POSTGRES']

describe.skipIf(url === undefined)('PostgreSQL keeps the store contract', () => {
  const { checks, absent } = storeContract(postgresStores(url ?? ''))
  // requirement: P1.16
  test.each(checks)('$name', ({ run }) => run())
  test('in all of its parts', () => expect(absent).toEqual([]))
})
