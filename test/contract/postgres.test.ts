import { describe, expect, test } from 'vitest'
import { storeContract } from '../../packages/varve/src/testing/index.ts'
import { severalConnections } from '../fixtures/postgres/several-connections.ts'
import { postgresStores } from './postgres-store.ts'

describe('PostgreSQL keeps the store contract', () => {
  const { checks, absent } = storeContract(postgresStores())
  // requirement: P1.16
  test.for(checks)('$name', ({ run, looksAt }, context) => {
    if (looksAt === 'races') severalConnections(context)
    return run()
  })
  test('in all of its parts', () => expect(absent).toEqual([]))
})
