import { describe, expect, test } from 'vitest'
import { DiskFull } from '../errors/disk-full.ts'
import { StoreBusy } from '../errors/store-busy.ts'
import { StoreDamaged } from '../errors/store-damaged.ts'
import { StoreForeign } from '../errors/store-foreign.ts'
import { StoreReadOnly } from '../errors/store-read-only.ts'
import { problemOf } from './problem.ts'

const store = '/srv/private/varve.db'

describe('a problem does not tell where the store is', () => {
  const errors = [
    new StoreBusy({ store }),
    new StoreReadOnly({ store }),
    new DiskFull({ store }),
    new StoreDamaged({ store, reason: `no page of ${store} can be read` }),
    new StoreForeign({ store, reason: 'it is a text' }),
  ]
  test.each(errors)('$code', async (error) => {
    const text = await problemOf(error, 'r').text()
    expect(text).not.toContain('private')
    expect(JSON.parse(text)).toMatchObject({ code: error.code, facts: { store: 'the store' } })
    expect(text).toMatch(/"detail":"[^"]*the store/i)
  })
})
