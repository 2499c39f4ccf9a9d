import { NotFound } from '../errors/not-found.ts'
import { digestsAbove, eraseItems } from './derived.ts'
import { itemOf } from './distilled.ts'
import { allItems, type Child, childrenOf, entriesUnder, itemKinds, pinItem, type NewItem, replaceItem, spansOf } from './items.ts'
import { layerBits } from './layers.ts'
import { Needles } from './needles.ts'
import type { PartitionRow } from './partitions.ts'
import { blankPart, dropPart, dropPartsOfLayer, partsOf, sentencesOf, sessionsSharing, sessionsWithParts } from './parts.ts'
import type { Program } from './program.ts'
import { saveReceipt } from './receipts.ts'
import type { Erasure } from './erasure.ts'
import { forgetLayer } from './reading.ts'
import type { ItemTable } from './schema.ts'
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
  return yield* takeOut(owner, items, receiptId, now)
}

function* takeOut(owner: BankOwner, items: readonly ItemTable[], receiptId: string, now: number): Program<Erasure> {
  const needles = new Needles()
  for (const leaf of items) if (leaf.rung === 0) yield* blankLeaf(owner, leaf, needles)
  yield* eraseItems(unique(items), needles)
  const receipt = yield* saveReceipt(receiptId, { bank: unique(items).length }, items.length > 0 ? 'pending' : 'done', now)
  return { receipt, needles: needles.all }
}

function unique(items: readonly ItemTable[]): ItemTable[] {
  return [...new Map(items.map((item) => [item.ord, item])).values()]
}

/** Its parts stay as read, without their words: so that upkeep does not write them again. */
function* blankLeaf(owner: BankOwner, leaf: ItemTable, needles: Needles): Program<void> {
  const layer = owner.source === undefined ? layerBits.shared : layerBits.bank
  const day = leaf.period.split('/').at(-1)
  for (const part of yield* partsOf(leaf.session_id)) {
    if (part.layer !== layer || part.sitting !== day || part.content === null) continue
    needles.add([new TextEncoder().encode(part.content)].filter(({ length }) => length > 0))
    yield* blankPart(part.id)
  }
}

/** Has everything read again for the bank, what was taken out by hand included; what stands serves until then. */
export function* rebuildBank(owner: BankOwner): Program<number> {
  const layer = owner.source === undefined ? layerBits.shared : layerBits.bank
  const sessions = owner.source === undefined ? yield* sessionsSharing(owner.project, layer) : yield* sessionsWithParts(owner.source, layer)
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
  const receipt = yield* saveReceipt(receiptId, { bank: items.filter(({ kind }) => kind === itemKinds.bank).length }, items.length > 0 ? 'pending' : 'done', now)
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
