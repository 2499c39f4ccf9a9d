import { InvalidOption } from '../../errors/invalid-option.ts'
import { MemoryClosed } from '../../errors/memory-closed.ts'
import { StoreBusy } from '../../errors/store-busy.ts'
import { unfinishedMove } from '../moving.ts'
import type { OpenOptions, OpenStore, StoreEngine } from '../store-engine.ts'
import { callScope } from '../call-scope.ts'
import type { FarVectors } from '../segment/far-vectors.ts'
import { postgresAddress, shownPlace } from './address.ts'
import { classifyPostgres } from './classify.ts'
import { ConnectionTurns } from './connection-turns.ts'
import { type Connections, openPool } from './connections.ts'
import { diagnosePostgres } from './diagnose.ts'
import { Lanes } from './lanes.ts'
import { Listener, noticeOf } from './listener.ts'
import { type StoreIdentity, migratePostgres } from './migrate.ts'
import { ServerClock } from './server-clock.ts'
import { guardsRows, tellsOutcomes } from './traits.ts'
import { readIn, type Terms, writeIn } from './transactions.ts'
import { Vacuum } from './vacuum.ts'

/** What another process left, or what has become due, is found within this time. */
const longestRestMs = 60_000

/** PostgreSQL on a server, for any number of processes. Programs wait for the network at each step. */
export const postgresEngine: StoreEngine = {
  name: 'postgres',
  erasure: 'rewrite',
  longestRestMs,
  shown: shownPlace,
  open: (options) => open(options, 'whole'),
  classify: classifyPostgres,
}

/** The same, also for a store into which another one is being moved: for the move itself. */
export const unfinishedPostgres: StoreEngine = { ...postgresEngine, open: (options) => open(options, 'unfinished') }

async function open({ place, identity, onHeard }: OpenOptions, needed: 'whole' | 'unfinished'): Promise<OpenStore> {
  const address = postgresAddress(place)
  const connections = await openPool(address)
  try {
    const own = await migratePostgres(connections, { identity })
    if (own.isUnfinished && needed === 'whole') throw new StoreBusy({ store: address.shown, reason: unfinishedMove })
    const notice = address.listens ? noticeOf(own.id, identity.id) : undefined
    const traits = { tellsOutcomes: await tellsOutcomes(connections), guardsRows: await guardsRows(connections) }
    const terms: Terms = { ...connections, ...traits, notice }
    const far = address.searchesFar && needed === 'whole' ? await loadFarVectors(connections, traits.guardsRows) : undefined
    const clock = new ServerClock(connections)
    await clock.measure()
    const listener = notice === undefined || onHeard === undefined ? undefined : new Listener(connections, notice, onHeard)
    listener?.start()
    return opened(terms, own, { clock, listener, far })
  } catch (error) {
    await connections.pool.end()
    throw error
  }
}

/** Most stores do without it. */
async function loadFarVectors(...given: readonly [Connections, boolean]): Promise<FarVectors> {
  return (await import('./open-far.ts')).openFarVectors(...given)
}

interface Parts {
  readonly clock: ServerClock
  readonly listener: Listener | undefined
  readonly far: FarVectors | undefined
}

function opened(terms: Terms, { key }: StoreIdentity, { clock, listener, far }: Parts): OpenStore {
  const { pool, address } = terms
  const [reads, writes] = [new ConnectionTurns(address.connections), new ConnectionTurns(address.connections)]
  const lanes = new Lanes((programs, asked) => writes.run(() => writeIn(terms, programs, asked)))
  const vacuum = new Vacuum(terms)
  let isClosed = false
  return {
    key,
    readOnly: false,
    isFar: true,
    // Unknown, and not small: what it holds may grow by other processes' writes.
    bytes: Number.MAX_SAFE_INTEGER,
    far,
    now: (given) => (address.isCallersClock ? given : clock.now()),
    read: (program) => {
      const scope = callScope.getStore()
      return isClosed ? Promise.reject(new MemoryClosed()) : reads.run(() => readIn(terms, program, scope))
    },
    write: (program, weight = 1, patience = 'full', lane) => lanes.write(program, { lane, scope: callScope.getStore(), weight, patience }),
    eraseBytes: () => vacuum.run(),
    makeRoom: async () => false,
    copyTo: () =>
      Promise.reject(
        new InvalidOption({
          option: 'store',
          received: 'a PostgreSQL store',
          expected: 'a SQLite file; back PostgreSQL up with its own tools, such as pg_dump',
        }),
      ),
    diagnose: (segmentBytes) => diagnosePostgres(terms, segmentBytes, far !== undefined),
    close: async () => {
      isClosed = true
      await listener?.close()
      await lanes.close()
      if (!pool.ending) await pool.end()
    },
  }
}
