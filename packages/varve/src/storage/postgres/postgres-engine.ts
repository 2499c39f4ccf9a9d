import { InvalidOption } from '../../errors/invalid-option.ts'
import { MemoryClosed } from '../../errors/memory-closed.ts'
import { StoreBusy } from '../../errors/store-busy.ts'
import { unfinishedMove } from '../moving.ts'
import type { OpenOptions, OpenStore, StoreEngine } from '../store-engine.ts'
import { postgresAddress, shownPlace } from './address.ts'
import { classifyPostgres } from './classify.ts'
import { openPool } from './connections.ts'
import { diagnosePostgres } from './diagnose.ts'
import { Lanes } from './lanes.ts'
import { type StoreIdentity, migratePostgres } from './migrate.ts'
import { ServerClock } from './server-clock.ts'
import { serverTraits } from './traits.ts'
import { readIn, type Terms, writeIn } from './transactions.ts'

/** PostgreSQL on a server, for any number of processes. Programs wait for the network at each step. */
export const postgresEngine: StoreEngine = {
  name: 'postgres',
  erasure: 'rewrite',
  shown: shownPlace,
  open: (options) => open(options, 'whole'),
  classify: classifyPostgres,
}

/** The same, also for a store into which another one is being moved: for the move itself. */
export const unfinishedPostgres: StoreEngine = { ...postgresEngine, open: (options) => open(options, 'unfinished') }

async function open({ place, identity }: OpenOptions, needed: 'whole' | 'unfinished'): Promise<OpenStore> {
  const address = postgresAddress(place)
  const pool = await openPool(address)
  try {
    const own = await migratePostgres(pool, { address, identity })
    if (own.isUnfinished && needed === 'whole') throw new StoreBusy({ store: address.shown, reason: unfinishedMove })
    const terms: Terms = { pool, address, ...(await serverTraits(pool)) }
    const clock = new ServerClock(pool)
    await clock.measure()
    return opened(terms, own, clock)
  } catch (error) {
    await pool.end()
    throw error
  }
}

function opened(terms: Terms, { key }: StoreIdentity, clock: ServerClock): OpenStore {
  const { pool, address } = terms
  const lanes = new Lanes((programs, patience) => writeIn(terms, programs, patience))
  let isClosed = false
  return {
    key,
    readOnly: false,
    // Unknown, and not small: what it holds may grow by other processes' writes.
    bytes: Number.MAX_SAFE_INTEGER,
    now: (given) => (address.isCallersClock ? given : clock.now()),
    read: (program) => (isClosed ? Promise.reject(new MemoryClosed()) : readIn(terms, program)),
    write: (program, weight = 1, patience = 'full', lane) => lanes.write(lane, program, weight, patience),
    eraseBytes: async () => undefined,
    makeRoom: async () => false,
    copyTo: () =>
      Promise.reject(
        new InvalidOption({
          option: 'store',
          received: 'a PostgreSQL store',
          expected: 'a SQLite file; back PostgreSQL up with its own tools, such as pg_dump',
        }),
      ),
    diagnose: (segmentBytes) => diagnosePostgres(terms, segmentBytes),
    close: async () => {
      isClosed = true
      await lanes.close()
      if (!pool.ending) await pool.end()
    },
  }
}
