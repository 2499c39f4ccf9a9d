import { describe, expect, test } from 'vitest'
import { addFact } from '../../packages/varve/src/facts/write-facts.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { forgetInTurns } from '../../packages/varve/src/privacy/forgetting.ts'
import { lookAhead } from '../../packages/varve/src/privacy/look-ahead.ts'
import { type PartitionId, partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { epochsOf } from '../../packages/varve/src/storage/epochs.ts'
import { forget } from '../../packages/varve/src/storage/erase/erasure.ts'
import type { ForgetSelection } from '../../packages/varve/src/storage/erase/forget-selection.ts'
import { type ErasureBounds, turnBounds } from '../../packages/varve/src/storage/erase/turns.ts'
import { numberOfKind } from '../../packages/varve/src/storage/journal/kinds.ts'
import { saveContext } from '../../packages/varve/src/storage/log/contexts.ts'
import { ensureDerivedOf, ensureKnownOf, ensurePartition } from '../../packages/varve/src/storage/partitions.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import { tombstoneBounds } from '../../packages/varve/src/storage/segment/tombstones.ts'
import { storeImport } from '../../packages/varve/src/storage/transfer/imports.ts'
import { monday } from '../../packages/varve/src/testing/store/check.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'
import { checkedFact } from '../fixtures/facts/checked.ts'
import { tell, workAllIn } from '../fixtures/pages/engine.ts'

const acme = projectName('acme')
const [ada, bob, shared] = [
  partitionId(acme, { kind: 'user', name: 'ada' }),
  partitionId(acme, { kind: 'user', name: 'bob' }),
  partitionId(acme, { kind: 'shared' }),
] as const
const talk = sessionName('talk')
const whole: ForgetSelection = { session: talk }

/** Makes a session of three messages with a fact, a document, and a context that showed it. */
async function told(): Promise<CountingPlace> {
  const place = new CountingPlace()
  const facts = ['The ferry is late.', 'The ferry is red.', 'The ferry is full.'].map((fact) => ({ subject: 'ferry', fact }))
  const [message = ''] = await place.write(() => tell(ada, talk, facts))
  await place.write(() => addFact(ada, checkedFact({ predicate: 'likes', object: 'ferries', sources: [{ message }] }), monday))
  await place.write(() => workAllIn(ada, 'extractive'))
  await show(place, ada)
  return place
}

async function show(place: CountingPlace, partition: PartitionId): Promise<void> {
  const record = {
    id: uuidv7(monday),
    messages: [uuidv7(monday)],
    shingles: new Uint8Array(8),
    epochs: await place.read(epochsOf(partition)),
  }
  await place.write(() => saveContext(partition, talk, record, monday))
}

async function addByHand(place: CountingPlace): Promise<void> {
  for (const object of ['trains', 'trams']) await place.write(() => addFact(ada, checkedFact({ predicate: 'likes', object }), monday))
}

const importInto = (partition: PartitionId) =>
  function* (): Program<void> {
    const { id } = yield* ensurePartition(partition, monday)
    yield* storeImport({ id: uuidv7(monday), partition_id: id, bundle: new Uint8Array(16), header: '{}' }, monday)
  }

/** Gives a partition more tombstones than it keeps. */
async function bury(place: CountingPlace, partition: (owner: number) => Program<{ readonly id: number }>): Promise<void> {
  const { id } = await place.write(function* () {
    return yield* partition((yield* ensurePartition(ada, monday)).id)
  })
  place.connection
    .exec(`WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x <= ${tombstoneBounds.kept + tombstoneBounds.dropped})
    INSERT INTO tombstone SELECT ${id}, 1 + x / 250, 1000 + x FROM n`)
}

const isShort = async (place: CountingPlace, selection = whole, bounds: Partial<ErasureBounds> = {}): Promise<boolean> =>
  (await place.read(lookAhead({ partition: ada, selection, bounds: { ...turnBounds, ...bounds } })))?.short !== undefined

test('a session with all that rests on it is taken by one transaction', async () => {
  using place = await told()
  expect(await isShort(place)).toBe(true)
  expect(await isShort(place, { before: monday + 1 })).toBe(true)
  // Exactly what there is.
  expect(await isShort(place, whole, { messages: 3, facts: 1, pages: 1, sessions: 1, contexts: 1 })).toBe(true)
})

describe('is not, when one transaction takes fewer', () => {
  test.each([
    { messages: 2 },
    { bytes: 40 },
    // All messages have fewer. The older revisions of their document do not.
    { bytes: 100 },
    { facts: 0 },
    { pages: 0 },
    { sessions: 0 },
    { contexts: 0 },
  ] satisfies readonly Partial<ErasureBounds>[])('%o', async (bounds) => {
    using place = await told()
    expect(await isShort(place, whole, bounds)).toBe(false)
  })
})

interface Beside {
  readonly what: string
  readonly add: (place: CountingPlace) => Promise<unknown>
  readonly bounds?: Partial<ErasureBounds>
  readonly selection?: ForgetSelection
}

const beside: readonly Beside[] = [
  { what: 'contexts of another user', add: (place) => show(place, bob), bounds: { contexts: 1 } },
  { what: 'many statements by hand from before', add: addByHand, bounds: { facts: 1 }, selection: { before: monday + 1 } },
  { what: 'an import of the user', add: (place) => place.write(importInto(ada)) },
  { what: 'an import of what the project shares', add: (place) => place.write(importInto(shared)) },
  { what: 'old tombstones of messages', add: (place) => bury(place, (id) => ensurePartition(ada, id)) },
  { what: 'old tombstones of items', add: (place) => bury(place, (id) => ensureDerivedOf(id, monday)) },
  { what: 'old tombstones of facts', add: (place) => bury(place, (id) => ensureKnownOf(id, monday)) },
]

describe('is not, beside', () => {
  test.each(beside)('$what', async ({ add, bounds, selection }) => {
    using place = await told()
    expect(await isShort(place, selection, bounds)).toBe(true)
    await add(place)
    expect(await isShort(place, selection, bounds)).toBe(false)
  })
})

test('all of a user is not: a transaction may take less than all sessions', async () => {
  using place = await told()
  expect(await isShort(place, { all: true })).toBe(false)
})

test('an import that came after the look goes in the erasing transaction', async () => {
  using place = await told()
  await place.write(importInto(ada))
  await place.write(importInto(shared))
  await place.write(() => forget(ada, whole, uuidv7(monday), monday))
  expect(place.rows('SELECT id FROM import')).toEqual([])
})

test('all of a user is told of in its project, since the partition is gone', async () => {
  using place = await told()
  await forgetInTurns(place, ada, { all: true })
  const forgotten = numberOfKind('forgotten')
  expect(place.rows(`SELECT partition_id AS at FROM journal WHERE kind = ${forgotten}`)).toEqual([{ at: 0 }])
})
