import { countLeavesOf } from './members.ts'
import { partitionList } from '../partition-list.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { digestsAbove } from './digests-above.ts'
import { eraseItemsAt, replaceItem } from './item-erasure.ts'
import { Needles } from '../needles.ts'
import { entriesIn, findItem, itemsAt, itemsOfSession, type NewItem } from './items.ts'
import { noteChange } from '../journal/note.ts'
import { sharedBits } from '../layers.ts'
import { type PartitionRow, ensureDerivedOf, ensureShared, findShared, findSourceOf, partitionById, savePartition } from '../partitions.ts'
import { type NewPart, storeBeside } from './part-stores.ts'
import { storePart } from './parts.ts'
import type { Program } from '../program.ts'
import { saveCursor, wantedOfSession } from './reading.ts'
import type { ItemTable, SessionTable } from '../schema.ts'
import { sessionRowById, touchSession } from '../log/sessions.ts'
import { uuidText } from '../uuid-bytes.ts'
import { type Again, claimWork, dropWork, heldWork, putOffAgain, seenWork, workKinds } from '../work.ts'

/** The state of a session when it was read, and its reader. */
export interface ReadState {
  /** The partition of the session. */
  readonly partition: number
  readonly session: number
  readonly epoch: number
  readonly holder: string
  /** Bits of the layers that are on where a project has no setting. */
  readonly layers: number
}

/** An item as it was composed, without the fields that the store fills in. */
export type DraftItem = Omit<NewItem, 'id' | 'pinned' | 'session' | 'home'>

/** A session's gist or one of its leaves, composed from the parts that stand. Without an item it has nothing left to say. */
export interface Composed {
  /** A bit of storage/layers.ts. */
  readonly layer: number
  /** The kind of its item. */
  readonly kind: number
  readonly period: string
  /** The ordinal of the item that was read and composed anew; 0 when there was none. */
  readonly basis: number
  readonly item: DraftItem | undefined
}

/** The result of a session once all of it is read. */
export interface Finished {
  /** The last place that was read. */
  readonly seq: number
  /** Bits of the layers that were read for, and of the layers to be written again. */
  readonly wanted: number
  readonly provisional: number
  readonly composed: readonly Composed[]
  /** The next attempt, and why the text is provisional; without a reason, the recorded one stays. */
  readonly again?: Again & { readonly reason: string | undefined }
}

/**
 * Stores parts if their messages stand as they were read, and holds the session until a time. Leaves out layers that
 * are no longer wanted.
 */
export function* storeParts(read: ReadState, parts: readonly NewPart[], now: number, until: number): Program<boolean> {
  const found = yield* standing(read)
  if (found === undefined) return false
  yield* touchSession(read.partition, read.session)
  yield* claimWork({ kind: workKinds.session, ref: read.session }, found.row.partition_id, { holder: read.holder, now, until })
  for (const part of parts) {
    if ((part.layer & found.wanted) === 0) continue
    yield* storePart(found.row.partition_id, read.session, part, now)
    yield* storeBeside({ session: read.session, partition: found.row.partition_id, project: found.project }, part, now)
  }
  return true
}

/**
 * Stores the composed items and moves the session's cursor. Returns false and changes nothing when the session was
 * changed meanwhile.
 */
export function* finishReading(read: ReadState, { seq, wanted, provisional, composed, again }: Finished, now: number): Program<boolean> {
  const found = yield* standing(read)
  if (found === undefined || !(yield* placeAll(read.session, found, composed, now))) return false
  yield* saveCursor(read.partition, {
    id: read.session,
    read_seq: seq,
    read_epoch: read.epoch,
    read_layers: wanted & found.wanted,
    provisional: provisional & found.wanted,
  })
  const key = { kind: workKinds.session, ref: read.session }
  yield* noteChange({ kind: 'distilled', project: found.project, partition: found.row.partition_id, session: read.session, at: now })
  if (again === undefined || (provisional & found.wanted) === 0) yield* dropWork(key)
  else yield* putOffAgain(key, found.attempts, again, again.reason ?? found.reason, now)
  return true
}

/** Stores composed items of a reading that ends early. Returns false and changes nothing when the session was changed meanwhile. */
export function* storeComposed(read: ReadState, composed: readonly Composed[], now: number): Program<boolean> {
  const found = yield* standing(read)
  return found !== undefined && (yield* placeAll(read.session, found, composed, now))
}

function* placeAll(session: number, found: Standing, composed: readonly Composed[], now: number): Program<boolean> {
  const owners = new Owners(found.row.partition_id, found.project, now)
  const items = yield* itemsOfSession(found.row.partition_id, session)
  const changes = composed.filter(({ layer }) => (layer & found.wanted) !== 0).map((one) => ({ one, old: oldOf(items, one, found.shared) }))
  if (changes.some(({ one, old }) => (old?.ord ?? 0) !== one.basis)) return false
  for (const { one, old } of changes) {
    const owner = yield* owners.of(one.layer)
    const isOver = isShared(one.layer) && (yield* countLeavesOf(owner.id, one.period, found.row.partition_id, session)) >= mostSharedLeaves
    yield* place(owner, old, isOver ? { ...one, item: undefined } : one, found.row, now)
  }
  return true
}

/** The most conversations of a day that one member may add to a shared bank, so that no member fills everybody's prompts. */
export const mostSharedLeaves = 20

interface Standing {
  readonly row: SessionTable
  readonly wanted: number
  readonly project: number
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly reason: string | null
  /** The partition of the project's shared bank, where there is one. */
  readonly shared: number
}

/** Returns the session if the holder still has it and no message of it was erased or replaced since it was read. */
function* standing({ partition, session, epoch, holder, layers }: ReadState): Program<Standing | undefined> {
  const work = yield* heldWork({ kind: workKinds.session, ref: session }, holder)
  const row = work === undefined ? undefined : yield* sessionRowById(partition, session)
  if (work === undefined || row === undefined || row.epoch !== epoch) return undefined
  const found = yield* wantedOfSession(partition, session, layers)
  if (found === undefined) return undefined
  const { wanted, project } = found
  const shared = (yield* findShared(project))?.id ?? 0
  return { row, wanted, project, attempts: work.attempts, reason: work.reason, shared }
}

/** The partitions of derived items, made when they are first needed. */
class Owners {
  readonly #source: number
  readonly #project: number
  readonly #now: number

  constructor(source: number, project: number, now: number) {
    this.#source = source
    this.#project = project
    this.#now = now
  }

  /** Reads the partition anew each time: its counters change with every item. */
  of(layer: number): Program<PartitionRow> {
    return isShared(layer) ? ensureShared(this.#project, this.#now) : ensureDerivedOf(this.#source, this.#now)
  }
}

function oldOf(items: readonly ItemTable[], { layer, kind, period }: Composed, shared: number): ItemTable | undefined {
  return items.find((item) => item.kind === kind && item.period === period && (item.partition_id === shared) === isShared(layer))
}

function isShared(layer: number): boolean {
  return (layer & sharedBits) !== 0
}

function* place(owner: PartitionRow, old: ItemTable | undefined, { item }: Composed, of: SessionTable, now: number): Program<void> {
  if (item !== undefined) {
    const id = old === undefined ? uuidv7(now) : uuidText(old.uuid)
    yield* replaceItem(owner, old, { ...item, id, session: of.id, home: of.partition_id, pinned: old?.pinned === 1 }, now)
  } else if (old !== undefined) {
    // A forget finds digests by the periods of the leaves that stand: no digest may outlive a leaf that goes.
    const gone = [old, ...(yield* digestsAbove([old]))]
    owner.epoch += 1
    yield* eraseItemsAt(
      owner,
      gone.map(({ ord }) => ord),
      new Needles(),
    )
    yield* savePartition(owner)
  }
}

/** A digest that replaces the old one of its period. */
export interface NewDigest {
  readonly item: DraftItem
  /** Ordinals of its source entries: all of them must stand as they were read. */
  readonly children: readonly number[]
}

/** A bank that is held, and the ordinal of the digest to replace, as it was read; 0 for none. */
export interface HeldBank {
  readonly partition: number
  readonly basis: number
  readonly holder: string
}

/** Stores a digest if its children stand and nobody made another meanwhile. Holds the bank until a time. */
export function* storeDigest(
  { item, children }: NewDigest,
  { partition, basis, holder }: HeldBank,
  now: number,
  until: number,
): Program<boolean> {
  const key = { kind: workKinds.bank, ref: partition }
  const owner = (yield* heldWork(key, holder)) === undefined ? undefined : yield* partitionById(partition)
  if (owner === undefined || (yield* itemsAt(partition, children)).length !== children.length) return false
  const [old] = yield* entriesIn(partition, item.rung, item.period)
  if ((old?.ord ?? 0) !== basis) return false
  yield* claimWork(key, partition, { holder, now, until })
  yield* replaceItem(
    owner,
    old,
    { ...item, id: old === undefined ? uuidv7(now) : uuidText(old.uuid), session: 0, pinned: old?.pinned === 1 },
    now,
  )
  const source = yield* findSourceOf(partition)
  yield* noteChange({ kind: 'digested', project: owner.project_id, ...(source === undefined ? {} : { partition: source.id }), at: now })
  return true
}

/**
 * Notes the state of a bank in which nothing is due: the sum of the partition's `seq` and `epoch`. Upkeep looks again
 * when that sum has risen, or at a time.
 */
export function* seenBank(partition: number, holder: string, state: number, dueAt: number): Program<void> {
  const key = { kind: workKinds.bank, ref: partition }
  if ((yield* heldWork(key, holder)) !== undefined) yield* seenWork(key, state, dueAt)
}

/** Returns an item of a partition by its id; undefined for another partition's item. */
export function* itemOf(partition: number, id: string): Program<ItemTable | undefined> {
  const item = yield* findItem(partitionList([partition]), id)
  return item?.partition_id === partition ? item : undefined
}
