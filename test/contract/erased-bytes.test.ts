import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { eraseBytes } from '../../packages/varve/src/storage/sqlite/erase-bytes.ts'
import { tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore } from '../fixtures/memory/open.ts'
import { crowdedStore } from './crowded-store.ts'

// Each of these layouts leaves stale copies of erased rows in the free space of living pages. The first four leave
// whole rows. The others leave remnants of some twenty to sixty bytes, which a search for samples of the texts misses.
const seeds = [65, 385, 470, 611, 33, 89, 176, 291, 383, 522]

test.each(seeds)(
  'what page balancing left behind of erased rows is gone from the file when the erasure is done (layout %i)',
  async (seed) => {
    const file = newStore()
    const { connection, needles, secrets } = crowdedStore(file, seed)
    connection.pragma('wal_checkpoint(TRUNCATE)')
    expect(tracesOf(secrets, file)).not.toEqual([])
    expect(await eraseBytes(connection, needles)).toMatchObject({ done: true })
    expect(tracesOf(secrets, file)).toEqual([])
    connection.close()
    rmSync(dirname(file), { recursive: true })
  },
)
