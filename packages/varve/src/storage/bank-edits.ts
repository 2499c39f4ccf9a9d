import { NotFound } from '../errors/not-found.ts'
import { digestsAbove, eraseItems } from './derived.ts'
import { itemOf } from './distilled.ts'
import { allItems, type Child, childrenOf, entriesUnder, itemKinds, pinItem, type NewItem, replaceItem, spansOf } from './items.ts'
import { layerBits } from './layers.ts'
import { Needles } from './needles.ts'
import { type PartitionRow, savePartition } from './partitions.ts'
import { blankPart, dropPart, dropPartsOfLayer, partsOf, sentencesOf, sessionsSharing, sessionsWithParts } from './parts.ts'
import type { Program } from './program.ts'
import { saveReceipt } from './receipts.ts'
import type { Erasure } from './erasure.ts'
import { forgetLayer, raiseEpoch } from './reading.ts'
import type { ItemTable, PartTable } from './schema.ts'
import { uuidText } from './uuid-bytes.ts'

/** Whose bank is changed: the partition of its entries, and how its leaves' parts are found. */
export interface BankOwner {
  readonly entries: PartitionRow
  /** The partition whose messages it is of; undefined for what a project shares. */
  readonly source: number | undefined
  readonly project: number
}

/** What a person's words come to: a line each, with what the index needs of them. */
export type HandWritten = Pick<NewItem, 'sentences' | 'terms' | 'traits' | 'tokens'>

/** The writer's name of what a person wrote. */
export const byHand = 'person'

export function* entryOf({ entries }: BankOwner, id: string): Program<ItemTable> {
  const item = yield* itemOf(entries.id, id)
  if (item === undefined || item.kind !== itemKinds.bank) throw new NotFound({ kind: 'bank entry', id })
  return item
}

export function* pinEntry(owner: BankOwner, id: string, pinned: boolean): Program<void> {
  const item = yield* entryOf(owner, id)
  yield* pinItem(owner.entries.id, item.ord, pinned)
  // So that who keeps the bank as it was knows that it is another.
  yield* savePartition({ ...owner.entries, epoch: owner.entries.epoch + 1 })
}

/** Puts a person's words in an entry's place: they stay when it is written anew, and go when a message below is forgotten. */
export function* correctEntry(owner: BankOwner, id: string, written: HandWritten, now: number): Program<string> {
  const item = yield* entryOf(owner, id)
  const handSeq = Math.max(1, ...spansOf(item).map(([, to]) => to))
  yield* replaceItem(owner.entries, item, { ...asNew(item), ...written, hand: written.sentences.map(({ text }) => text).join('\n'), handSeq, writer: byHand, provisional: false }, now)
  return uuidText(item.uuid)
}

/** Takes an entry out, with all that is below it and all digests that may tell of it; what its messages said does not come back by itself. */
export function* deleteEntry(owner: BankOwner, id: string, receiptId: string, now: number): Program<Erasure> {
  const item = yield* entryOf(owner, id)
  const below = item.rung === 0 ? [item] : yield* entriesUnder(owner.entries.id, item.period)
  return yield* takeOut(owner, [...below, ...(yield* digestsAbove(item))], receiptId, now)
}

/** Takes everything out. */
export function* clearBank(owner: BankOwner, receiptId: string, now: number): Program<Erasure> {
  const items = (yield* allItems(owner.entries.id)).filter(({ kind }) => kind === itemKinds.bank)
  const needles = new Needles()
  for (const session of yield* sessionsOf(owner)) yield* blankParts(owner, session, () => true, needles)
  return yield* erased(items, needles, receiptId, now)
}

function* takeOut(owner: BankOwner, items: readonly ItemTable[], receiptId: string, now: number): Program<Erasure> {
  const needles = new Needles()
  for (const leaf of items) {
    const day = leaf.period.split('/').at(-1)
    if (leaf.rung === 0) yield* blankParts(owner, leaf.session_id, (part) => part.sitting === day, needles)
  }
  return yield* erased(unique(items), needles, receiptId, now)
}

function* erased(items: readonly ItemTable[], needles: Needles, receiptId: string, now: number): Program<Erasure> {
  yield* eraseItems(items, needles)
  const receipt = yield* saveReceipt(receiptId, { bank: items.length }, items.length > 0 || needles.all?.length !== 0 ? 'pending' : 'done', now)
  return { receipt, needles: needles.all }
}

function layerOf({ source }: BankOwner): number {
  return source === undefined ? layerBits.shared : layerBits.bank
}

/** Sessions with parts for a bank. */
function* sessionsOf(owner: BankOwner): Program<readonly number[]> {
  return owner.source === undefined ? yield* sessionsSharing(owner.project, layerBits.shared) : yield* sessionsWithParts(owner.source, layerBits.bank)
}

function unique(items: readonly ItemTable[]): ItemTable[] {
  return [...new Map(items.map((item) => [item.ord, item])).values()]
}

/** Parts stay as read, without their words: so that upkeep does not write them again. Whoever is at the session has read it as it is no more. */
function* blankParts(owner: BankOwner, session: number, isMeant: (part: PartTable) => boolean, needles: Needles): Program<void> {
  for (const part of yield* partsOf(session)) {
    if (part.layer !== layerOf(owner) || part.content === null || !isMeant(part)) continue
    needles.add([new TextEncoder().encode(part.content)].filter(({ length }) => length > 0))
    yield* blankPart(part.id)
  }
  yield* raiseEpoch(session)
}

/** Has everything read again for the bank, what was taken out by hand included; what stands serves until then. */
export function* rebuildBank(owner: BankOwner): Program<number> {
  const layer = layerOf(owner)
  const sessions = yield* sessionsOf(owner)
  for (const session of sessions) {
    yield* dropPartsOfLayer(session, layer)
    yield* forgetLayer(session, layer)
  }
  return sessions.length
}

/** Withdraws all that a project shares: entries, and the parts that they were made from. */
export function* withdrawShared(owner: BankOwner, receiptId: string, now: number): Program<Erasure> {
  const needles = new Needles()
  for (const session of yield* sessionsSharing(owner.project, layerBits.shared)) yield* withdrawSession(session, needles)
  const items = yield* allItems(owner.entries.id)
  yield* eraseItems(items, needles)
  const count = items.filter(({ kind }) => kind === itemKinds.bank).length
  const receipt = yield* saveReceipt(receiptId, { bank: count }, items.length > 0 || needles.all?.length !== 0 ? 'pending' : 'done', now)
  return { receipt, needles: needles.all }
}

/** Takes a session's shared parts out; read again only when it is shared again. */
export function* withdrawSession(session: number, needles: Needles): Program<void> {
  for (const part of yield* partsOf(session)) {
    if (part.layer !== layerBits.shared) continue
    needles.add([new TextEncoder().encode(part.content ?? '')].filter(({ length }) => length > 0))
    yield* dropPart(part.id)
  }
  yield* forgetLayer(session, layerBits.shared)
}

function madeOf(item: ItemTable): readonly number[] | readonly Child[] {
  const parts: readonly number[] = item.rung === 0 ? JSON.parse(item.made_of) : []
  return item.rung === 0 ? parts : childrenOf(item)
}

/** An item as it stands, to be stored again with changes. */
export function asNew(item: ItemTable): NewItem {
  return {
    id: uuidText(item.uuid), kind: item.kind, rung: item.rung, period: item.period, session: item.session_id, sentences: sentencesOf(item),
    spans: spansOf(item), madeOf: madeOf(item), hand: item.hand, handSeq: item.hand_seq,
    pinned: item.pinned === 1, messages: item.messages, conversations: item.conversations, firstAt: item.first_at, lastAt: item.said_at, tokens: item.tokens,
    writer: item.writer, provisional: item.provisional === 1, terms: new Uint8Array(0), traits: 0,
  }
}
