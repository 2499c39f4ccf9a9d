import { countLeavesOf } from './members.ts'
import { partitionList } from '../partition-list.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { digestsAbove } from './digests-above.ts'
import { eraseItemsAt, replaceItem } from './item-erasure.ts'
import { Needles } from '../needles.ts'
import { entriesIn, findItem, itemChanges, itemsAround, itemsAt, type NewItem } from './items.ts'
import { noteChange, noteStep } from '../journal/note.ts'
import { sharedBits } from '../layers.ts'
import {
  type PartitionRow,
  ensureShared,
  findDerivedOf,
  findShared,
  findSourceOf,
  makeDerivedOf,
  nearTo,
  partitionById,
  partitionChange,
} from '../partitions.ts'
import { type NewPart, storeBeside } from './part-stores.ts'
import { partChanges } from './parts.ts'
import { abreast, answer, type Program, runLast, type SingleStep } from '../program.ts'
import { cursorChange, wantedOfSession } from './reading.ts'
import type { ItemTable, SessionTable } from '../schema.ts'
import { sessionRowById, sessionTouch } from '../log/sessions.ts'
import { uuidText } from '../uuid-bytes.ts'
import { type Again, claimWork, heldWork, leaseChange, seenWork, workDrop, workKinds, workPutOffAgain } from '../work.ts'

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
  const { row, project, wanted } = found
  const owner = { session: read.session, partition: row.partition_id, project }
  const stored = parts.filter(({ layer }) => (layer & wanted) !== 0)
  const own = [
    sessionTouch(read.partition, read.session),
    leaseChange({ kind: workKinds.session, ref: read.session }, { holder: read.holder, until }),
    ...stored.flatMap((part) => partChanges(owner.partition, owner.session, part, now)),
  ]
  yield* abreast([runLast(own), ...stored.map((part) => storeBeside(owner, part, now))])
  return true
}

/**
 * Stores the composed items and moves the session's cursor. Returns false and changes nothing when the session was
 * changed meanwhile.
 */
export function* finishReading(read: ReadState, { seq, wanted, provisional, composed, again }: Finished, now: number): Program<boolean> {
  const [found, near] = yield* abreast([standing(read), nearTo(read.partition)])
  const placed = found === undefined ? undefined : yield* placeAll(near, found, composed, now)
  if (found === undefined || placed === undefined) return false
  const key = { kind: workKinds.session, ref: read.session }
  const { row, project, attempts, reason } = found
  yield* runLast([
    ...placed,
    cursorChange(read.partition, {
      id: read.session,
      read_seq: seq,
      read_epoch: read.epoch,
      read_layers: wanted & found.wanted,
      provisional: provisional & found.wanted,
    }),
    noteStep({ kind: 'distilled', project, partition: row.partition_id, session: read.session, at: now }),
    again === undefined || (provisional & found.wanted) === 0
      ? workDrop(key)
      : workPutOffAgain(key, attempts, again, again.reason ?? reason, now),
  ])
  return true
}

/** Stores composed items of a reading that ends early. Returns false and changes nothing when the session was changed meanwhile. */
export function* storeComposed(read: ReadState, composed: readonly Composed[], now: number): Program<boolean> {
  const [found, near] = yield* abreast([standing(read), nearTo(read.partition)])
  const placed = found === undefined ? undefined : yield* placeAll(near, found, composed, now)
  if (placed === undefined) return false
  yield* runLast(placed)
  return true
}

/** Returns the last steps that put composed items in their places; undefined when an item was changed meanwhile. */
function* placeAll(
  near: string,
  { row, wanted, project }: Standing,
  composed: readonly Composed[],
  now: number,
): Program<readonly SingleStep[] | undefined> {
  const own = composed.filter(({ layer }) => (layer & wanted) !== 0)
  if (own.length === 0) return []
  const [items, shared, derived] = yield* abreast([itemsAround(near, row.id), findShared(project), findDerivedOf(row.partition_id)])
  const changes = own.map((one) => ({ one, old: oldOf(items, one, shared?.id ?? 0) }))
  if (changes.some(({ one, old }) => (old?.ord ?? 0) !== one.basis)) return undefined
  // The partitions of derived items are made when they are first needed. Their counters change with every item.
  const [ofShared, ofOwn] = yield* abreast([
    shared !== undefined || !own.some(({ layer }) => isShared(layer)) ? answer(shared) : ensureShared(project, now),
    derived !== undefined || own.every(({ layer }) => isShared(layer)) ? answer(derived) : makeDerivedOf(row.partition_id, now),
  ])
  const isOver = yield* abreast(own.map((one) => isOverFull(one, ofShared, row)))
  const steps: SingleStep[] = []
  for (const [place, { one, old }] of changes.entries()) {
    const owner = isShared(one.layer) ? ofShared : ofOwn
    if (owner !== undefined) steps.push(...(yield* placed(owner, old, isOver[place] === true ? undefined : one.item, row, now)))
  }
  const changed = new Set(own.flatMap(({ layer }) => (isShared(layer) ? ofShared : ofOwn) ?? []))
  return [...steps, ...[...changed].map(partitionChange)]
}

/** Tells whether a member's leaf would be one too many on its day of a shared bank. */
function* isOverFull({ layer, period }: Composed, shared: PartitionRow | undefined, of: SessionTable): Program<boolean> {
  if (!isShared(layer) || shared === undefined) return false
  return (yield* countLeavesOf(shared.id, period, of.partition_id, of.id)) >= mostSharedLeaves
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
}

/** Returns the session if the holder still has it and no message of it was erased or replaced since it was read. */
function* standing({ partition, session, epoch, holder, layers }: ReadState): Program<Standing | undefined> {
  const [work, row, found] = yield* abreast([
    heldWork({ kind: workKinds.session, ref: session }, holder),
    sessionRowById(partition, session),
    wantedOfSession(partition, session, layers),
  ])
  if (work === undefined || row === undefined || row.epoch !== epoch || found === undefined) return undefined
  return { row, wanted: found.wanted, project: found.project, attempts: work.attempts, reason: work.reason }
}

function oldOf(items: readonly ItemTable[], { layer, kind, period }: Composed, shared: number): ItemTable | undefined {
  return items.find((item) => item.kind === kind && item.period === period && (item.partition_id === shared) === isShared(layer))
}

function isShared(layer: number): boolean {
  return (layer & sharedBits) !== 0
}

/** Takes an old item out, and returns the steps that store the new one, if there is one. Changes `owner`; the caller saves it. */
function* placed(
  owner: PartitionRow,
  old: ItemTable | undefined,
  item: DraftItem | undefined,
  of: SessionTable,
  now: number,
): Program<readonly SingleStep[]> {
  if (old !== undefined) {
    // A forget finds digests by the periods of the leaves that stand: no digest may outlive a leaf that goes.
    const gone = item === undefined ? [old, ...(yield* digestsAbove([old]))] : [old]
    owner.epoch += 1
    yield* eraseItemsAt(
      owner,
      gone.map(({ ord }) => ord),
      new Needles(),
    )
  }
  if (item === undefined) return []
  const id = old === undefined ? uuidv7(now) : uuidText(old.uuid)
  return itemChanges(owner, { ...item, id, session: of.id, home: of.partition_id, pinned: old?.pinned === 1 }, now)
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
