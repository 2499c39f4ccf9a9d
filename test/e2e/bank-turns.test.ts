import { expect, test } from 'vitest'
import { clearInTurns, deleteInTurns, ownerWith, pin, rebuildInTurns } from '../../packages/varve/src/bank/change-bank.ts'
import { versionOfEntry } from '../../packages/varve/src/bank/read-bank.ts'
import { MemoryClosed } from '../../packages/varve/src/errors/memory-closed.ts'
import { changedToPrivate } from '../../packages/varve/src/log/replace.ts'
import { projectWrites } from '../../packages/varve/src/projects/writes.ts'
import { sessionName } from '../../packages/varve/src/scope/partition.ts'
import { entryOf } from '../../packages/varve/src/storage/bank/bank-edits.ts'
import type { Receipt } from '../../packages/varve/src/storage/erase/receipts.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import { changeSession } from '../../packages/varve/src/storage/log/sessions.ts'
import { ada, type FilledBank, filledBank, project } from '../fixtures/bounded/filled-bank.ts'
import { held, keptByHand } from '../fixtures/bounded/held.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'

const atOnce = { items: Number.MAX_SAFE_INTEGER, sessions: Number.MAX_SAFE_INTEGER }
const few = { items: 5, sessions: 3 }

type Bounds = typeof few
type Operation = (place: CountingPlace, bounds: Bounds, ids: FilledBank) => Promise<{ readonly receipt?: Receipt } | number>

const operations: Readonly<Record<string, Operation>> = {
  'a project that shares no more': (place, bounds) =>
    projectWrites.setSharing(place, 'acme', undefined, { on: false, backfill: false }, bounds),
  'a user who shares no more': (place, bounds) => projectWrites.shareByDefault(place, ada, undefined, false, bounds),
  'a session that shares no more': (place, bounds) =>
    changedToPrivate(place, ada, sessionName('s4'), () => changeSession(ada, sessionName('s4'), { share: false }, place.now), bounds),
  'a bank that is cleared': (place, bounds) => clearInTurns(place, ada, { isForgetting: false, bounds }),
  'a shared bank that is cleared': (place, bounds) => clearInTurns(place, project, { isForgetting: false, bounds }),
  'a month that is taken out': (place, bounds, { own }) => deleteInTurns(place, ada, { id: own }, false, bounds),
  'a shared month that is taken out': (place, bounds, { shared }) => deleteInTurns(place, project, { id: shared }, false, bounds),
  'a bank that is read again': (place, bounds) => rebuildInTurns(place, ada, bounds),
}

const countsOf = (result: { readonly receipt?: Receipt } | number) => (typeof result === 'number' ? result : result.receipt?.counts)

test.each(Object.entries(operations))(
  '%s comes to the same in many transactions as in one, also when it was broken off',
  async (_, run) => {
    const it = await filledBank()
    using whole = new CountingPlace(it.store)
    const counts = countsOf(await run(whole, atOnce, it))
    expect(typeof counts === 'number' ? counts : counts?.['bank']).toBeGreaterThan(0)
    using inTurns = new CountingPlace(it.store)
    expect(countsOf(await run(inTurns, few, it))).toEqual(counts)
    expect(held(inTurns)).toEqual(held(whole))
    expect(keptByHand(inTurns)).toEqual(keptByHand(whole))
    // For an entry: its row, its terms, a tombstone and its session. Each child notes the digests that are made from
    // it.
    // The text kept of a digest notes the conversations below it: fifty at most here.
    expect(inTurns.most('changed')).toBeLessThanOrEqual(12 * few.items + 50)
    const last = inTurns.transactions.length - 1
    for (const fail of [1, Math.floor(last / 2), last]) {
      using broken = new CountingPlace(it.store)
      broken.before = async (n) => {
        if (n === fail) throw new MemoryClosed()
      }
      await run(broken, few, it).catch((error: unknown) => expect(error).toBeInstanceOf(MemoryClosed))
      broken.before = async () => undefined
      // The month itself may be gone: then the rest of it goes with the bank.
      const rest = await run(broken, few, it).catch((error: Error) => error)
      if (!(rest instanceof Error)) expect(held(broken)).toEqual(held(whole))
    }
  },
)

test('a session shares no more in a transaction that does not read the contexts of all members', async () => {
  const { store } = await filledBank()
  using place = new CountingPlace(store)
  place.connection.exec(`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000)
    INSERT INTO context_record (uuid, partition_id, session, created_at, items, shingles)
    SELECT randomblob(16), (SELECT id FROM partition WHERE owner = 'bob' AND owner_kind = 0), 's' || x, 0,
json_array(hex(randomblob(500))), x'' FROM n`)
  await changedToPrivate(place, ada, sessionName('s4'), () => changeSession(ada, sessionName('s4'), { share: false }, place.now))
  expect(place.rows('SELECT id FROM context_record')).toHaveLength(1_000)
  expect(place.most('read')).toBeLessThan(100_000)
})

function* versionOfOwn(id: string): Program<string> {
  return versionOfEntry(yield* entryOf(yield* ownerWith(ada, id), id))
}

test('a month that is edited just before the first of many transactions stays whole, and one edited later is gone', async () => {
  const { store, own } = await filledBank()
  using place = new CountingPlace(store)
  const expected = await place.read(versionOfOwn(own))
  const entries = () => place.rows('SELECT ord FROM item WHERE kind = 1')
  const pinned = () => place.write(() => pin(ada, { id: own }, true, place.now))
  let isPinned = false
  place.before = async () => {
    if (isPinned) return
    isPinned = true
    await pinned()
  }
  const before = entries()
  await expect(deleteInTurns(place, ada, { id: own, expected }, false, few)).rejects.toMatchObject({ code: 'STALE_REVISION' })
  expect(entries()).toEqual(before)
  const now = await place.read(versionOfOwn(own))
  let later: unknown
  place.before = async () => {
    if (entries().length === before.length || later !== undefined) return
    later = 'asked'
    later = await pinned().catch((error: unknown) => error)
  }
  await deleteInTurns(place, ada, { id: own, expected: now }, false, few)
  expect(later).toMatchObject({ code: 'NOT_FOUND' })
})
