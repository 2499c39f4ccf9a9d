import { partitionList } from '../partition-list.ts'
import { NotFound } from '../../errors/not-found.ts'
import { eraseDeedsOf, eraseKept, keptOfBank, keptOfMember, keptOfShared } from '../deeds/deed-erasure.ts'
import { type BankAct, keepTexts, noteDeed } from '../deeds/deeds.ts'
import { textOfPart, textsOfItems } from '../deeds/kept-items.ts'
import type { NewReceipt } from '../erase/erases.ts'
import { digestsAbove } from '../derived/digests-above.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import { itemOf } from '../derived/distilled.ts'
import { bankItems, entriesUnder, itemKinds, pinItem, homeOfItem } from '../derived/items.ts'
import { referencesOf } from '../derived/references.ts'
import { itemsFedBy } from '../derived/members.ts'
import { spansOf } from '../derived/item-lineage.ts'
import { bitOf, remadeBits } from '../layers.ts'
import { Needles } from '../needles.ts'
import { type PartitionRow, savePartition, nearTo } from '../partitions.ts'
import {
  awaitPart,
  blankPart,
  dropParts,
  isAwaited,
  partsOf,
  sessionsSharing,
  sessionsTelling,
  sessionsWithParts,
  storeBlankPart,
  type PlacedSession,
} from '../derived/parts.ts'
import { abreast, type Program } from '../program.ts'
import { saveReceipt } from '../erase/receipts.ts'
import type { Erasure } from '../erase/erasure.ts'
import { forgetLayer, raiseEpoch, wantedOfSession } from '../derived/reading.ts'
import type { ItemTable, PartTable } from '../schema.ts'
import { sessionRowById } from '../log/sessions.ts'
import { uuidText } from '../uuid-bytes.ts'

/** The owner of a changed bank: the partition of its entries, and the key to its leaves' parts. */
export interface BankOwner {
  readonly entries: PartitionRow
  /** The partition that holds the messages of the bank; undefined for a project's shared bank. */
  readonly source: number | undefined
  readonly project: number
  /** The change by hand that keeps the texts which go, so that it can be taken back; undefined for a forgetting. */
  readonly deed?: number
}

/** Returns the session of an item. */
export function sessionOfItem(item: ItemTable): PlacedSession {
  return { partition: homeOfItem(item), session: item.session_id }
}

/** A change of a bank by hand. */
export interface BankChange {
  readonly act: BankAct
  /** The id of the entry; undefined for all. */
  readonly ref?: Uint8Array
}

/** Notes a change, so that the owner keeps the texts which go. Without a change it is a forgetting: nothing is kept. */
export function* keeping(owner: BankOwner, change: BankChange | undefined, id: string, now: number): Program<BankOwner> {
  if (change === undefined) return owner
  return { ...owner, deed: yield* noteDeed({ id, partition: owner.entries.id, now, ...change }) }
}

/** Keeps the items that go, if their change can be taken back. */
export function* keepItems({ deed, entries }: BankOwner, items: readonly ItemTable[]): Program<void> {
  if (deed !== undefined) yield* keepTexts(entries.id, deed, yield* textsOfItems(items))
}

export function* entryOf({ entries }: BankOwner, id: string): Program<ItemTable> {
  const item = yield* itemOf(entries.id, id)
  if (item === undefined || item.kind !== itemKinds.bank) throw new NotFound({ kind: 'bank entry', id })
  return item
}

export function* pinEntry(owner: BankOwner, id: string, pinned: boolean): Program<void> {
  const item = yield* entryOf(owner, id)
  yield* pinItem(owner.entries.id, item.ord, pinned)
  // A reader that keeps a copy of the bank sees by the epoch that it changed.
  yield* savePartition({ ...owner.entries, epoch: owner.entries.epoch + 1 })
}

/** An entry to take out: a conversation itself, or a period with every entry below it. */
export type Going = Pick<ItemTable, 'uuid' | 'rung' | 'period' | 'partition_id' | 'kind'>

/**
 * Returns every item that goes with an entry: the items below it, and the digests above that may tell of it. On a
 * shared bank the references to its source messages go too.
 */
export function* goingWith(owner: BankOwner, { uuid, rung, ...entry }: Going): Program<readonly ItemTable[]> {
  const below = rung === 0 ? yield* leafOf(owner, uuid) : yield* entriesUnder(owner.entries.id, entry.period)
  const references = owner.source === undefined ? (yield* abreast(below.filter((item) => item.rung === 0).map(referencesOf))).flat() : []
  return unique([...below, ...(yield* digestsAbove([{ ...entry, rung }])), ...references])
}

function* leafOf(owner: BankOwner, uuid: Uint8Array): Program<readonly ItemTable[]> {
  const leaf = yield* itemOf(owner.entries.id, uuidText(uuid))
  return leaf === undefined ? [] : [leaf]
}

/** Takes an entry out, with every item below it and every digest that may tell of it. Upkeep does not write the same messages again. */
export function* deleteEntry(
  owner: BankOwner,
  entry: Going,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
): Program<Erasure> {
  const items = yield* goingWith(owner, entry)
  if (owner.deed === undefined)
    yield* eraseKept(partitionList([owner.entries.id]), yield* keptOfBank(owner.entries.id, sessionsIn(items)), needles)
  yield* keepItems(owner, items)
  yield* blankUnder(owner, items, needles, now)
  return yield* erased(items, needles, receiptId, now)
}

function sessionsIn(items: readonly ItemTable[]): ReadonlySet<number> {
  return new Set(items.filter(({ rung }) => rung === 0).map(({ session_id: session }) => session))
}

/** Takes out every entry of the bank; of a shared bank, every entry that rests on the words of one member, if one is given. */
export function* clearBank(
  owner: BankOwner,
  member: number | undefined,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
): Program<Erasure> {
  const items = yield* itemsToClear(owner, member)
  if (owner.deed === undefined)
    yield* eraseKept(
      partitionList([owner.entries.id]),
      yield* member === undefined ? keptOfBank(owner.entries.id) : keptOfMember(owner.entries.id, member),
      needles,
    )
  yield* keepItems(owner, items)
  yield* blankSessions(owner, yield* sessionsToBlank(owner, member), needles)
  yield* blankUnder(owner, items, needles, now)
  return yield* erased(items, needles, receiptId, now)
}

/** Returns the entries of a bank, or those that rest on one member's words: their digests may tell of them. */
export function* itemsToClear({ entries }: BankOwner, member: number | undefined): Program<readonly ItemTable[]> {
  if (member === undefined) return yield* bankItems(entries.id)
  const fed = yield* itemsFedBy(entries.id, member)
  return unique([...fed, ...(yield* digestsAbove(fed.filter(({ kind }) => kind === itemKinds.bank)))])
}

/** Blanks the source parts of conversations: they count as read and say nothing. */
export function* blankUnder(owner: BankOwner, items: readonly ItemTable[], needles: Needles, now: number): Program<void> {
  for (const leaf of items.filter(({ kind, rung }) => kind === itemKinds.bank && rung === 0)) {
    const day = dayOf(leaf)
    yield* blankParts(owner, sessionOfItem(leaf), (part) => part.sitting === day, needles)
    yield* blankWhereUnread(owner, leaf, now)
  }
}

/** Blanks all parts of some sessions. */
export function* blankSessions(owner: BankOwner, sessions: readonly PlacedSession[], needles: Needles): Program<void> {
  for (const session of sessions) yield* blankParts(owner, session, () => true, needles)
}

/** Returns the sessions whose parts would bring entries back after the bank, or one member's part of it, is cleared. */
export function sessionsToBlank(owner: BankOwner, member: number | undefined): Program<readonly PlacedSession[]> {
  const partition = member ?? owner.source
  return sessionsTelling(partition === undefined ? { project: owner.project } : { partition }, layerOfBank(owner))
}

function dayOf({ period }: ItemTable): string {
  return period.split('/').at(-1) ?? ''
}

function* erased(items: readonly ItemTable[], needles: Needles, receiptId: NewReceipt, now: number): Program<Erasure> {
  yield* eraseItems(items, needles)
  const receipt = yield* saveReceipt(
    receiptId,
    { bank: items.filter(({ kind }) => kind === itemKinds.bank).length },
    items.length > 0 || needles.all?.length !== 0 ? 'pending' : 'done',
    now,
  )
  return { receipt, needles: needles.all }
}

/** Returns the layer of a bank's parts: a bit of storage/layers.ts. */
export function layerOfBank({ source }: BankOwner): number {
  return source === undefined ? bitOf('shared') : bitOf('bank')
}

/** Tells whether a session may be told of in a bank: it is there, and a shared bank needs its member to share it now. */
export function* sharesNow(owner: BankOwner, { partition, session }: PlacedSession): Program<boolean> {
  if ((yield* sessionRowById(partition, session)) === undefined) return false
  return owner.source !== undefined || (((yield* wantedOfSession(partition, session, 0))?.wanted ?? 0) & bitOf('shared')) !== 0
}

/** Returns the sessions with parts for a bank. */
export function* sessionsOf(owner: BankOwner): Program<readonly PlacedSession[]> {
  return owner.source === undefined
    ? yield* sessionsSharing(owner.project, bitOf('shared'))
    : yield* sessionsWithParts(owner.source, bitOf('bank'))
}

function unique(items: readonly ItemTable[]): ItemTable[] {
  return [...new Map(items.map((item) => [item.ord, item])).values()]
}

/**
 * Keeps the parts as read but without their words, so that upkeep does not write them again. A reader that holds the
 * session has read an old state of it.
 */
function* blankParts(
  owner: BankOwner,
  { partition, session }: PlacedSession,
  isMeant: (part: PartTable) => boolean,
  needles: Needles,
): Program<void> {
  for (const part of yield* partsOf(partition, session)) {
    if (part.layer !== layerOfBank(owner) || (part.content === null && !isAwaited(part)) || !isMeant(part)) continue
    needles.add([new TextEncoder().encode(part.content ?? '')].filter(({ length }) => length > 0))
    if (owner.deed !== undefined && part.content !== null) yield* keepTexts(owner.entries.id, owner.deed, [textOfPart(part)])
    yield* blankPart(part)
  }
  yield* raiseEpoch(partition, session)
}

/** Blanks a leaf whose parts are missing because it is to be read again. */
function* blankWhereUnread(owner: BankOwner, leaf: ItemTable, now: number): Program<void> {
  if (leaf.kind !== itemKinds.bank || leaf.rung !== 0) return
  const { partition, session: number } = sessionOfItem(leaf)
  const [parts, session] = [yield* partsOf(partition, number), yield* sessionRowById(partition, number)]
  if (session === undefined) return
  const layer = layerOfBank(owner)
  for (const [from, to] of spansOf(leaf)) {
    if (parts.some((part) => part.layer === layer && part.from_seq <= to && part.to_seq >= from)) continue
    const range = { from, to, messages: to - from + 1, sitting: dayOf(leaf), firstAt: leaf.first_at, lastAt: leaf.said_at }
    yield* storeBlankPart(session.partition_id, session.id, layer, range, now)
  }
}

/** Has sessions read again for the bank, including the parts that a person took out. The old entries serve until then. */
export function* rereadSessions(
  owner: BankOwner,
  sessions: readonly PlacedSession[],
  isOfOtherDay: (part: PartTable) => boolean,
): Program<void> {
  for (const { partition, session } of sessions) {
    const parts = yield* partsOf(partition, session)
    // Parts of all layers have the same ranges. Where the day of a part changed, all layers are cut anew.
    const layers = parts.some(isOfOtherDay) ? remadeBits : layerOfBank(owner)
    const isCutAnew = layers !== layerOfBank(owner)
    for (const part of parts) {
      if (part.content !== null ? (part.layer & layers) !== 0 : isCutAnew && part.layer === layerOfBank(owner)) yield* dropParts([part])
      else if (part.layer === layerOfBank(owner)) yield* awaitPart(part)
    }
    yield* forgetLayer(partition, session, layers)
  }
}

/**
 * Withdraws the shared bank of a project: its entries, and their source parts. Blocks and documents of the project
 * stay: no member's talk fed them.
 */
export function* withdrawShared(owner: BankOwner, receiptId: NewReceipt, now: number, needles: Needles): Program<Erasure> {
  for (const session of yield* sessionsSharing(owner.project, bitOf('shared'))) yield* withdrawSession(session, needles)
  yield* eraseDeedsOf(owner.entries.id, needles)
  return yield* erased(yield* bankItems(owner.entries.id), needles, receiptId, now)
}

/**
 * Takes a session's shared parts out. The session is read again only when it is shared again. Parts that a person
 * deleted stay deleted.
 */
export function* withdrawSession({ partition, session }: PlacedSession, needles: Needles): Program<void> {
  for (const part of yield* partsOf(partition, session)) {
    if (part.layer !== bitOf('shared') || part.content === null) continue
    needles.add([new TextEncoder().encode(part.content)].filter(({ length }) => length > 0))
    yield* dropParts([part])
  }
  const near = yield* nearTo(partition)
  yield* eraseKept(near, yield* keptOfShared(near, session), needles)
  yield* forgetLayer(partition, session, bitOf('shared'))
}
