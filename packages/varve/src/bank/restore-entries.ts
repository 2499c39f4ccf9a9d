import type { PlacedSession } from '../storage/derived/parts.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { uuidv7 } from '../ids/uuid.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type IndexLines, unsayAbove } from '../storage/bank/bank-corrections.ts'
import { type BankOwner, entryOf, keepItems, keeping, layerOfBank, pinEntry, sharesNow } from '../storage/bank/bank-edits.ts'
import type { DeedTable } from '../storage/deed-tables.ts'
import { deedsKeptMs, keptTexts, noteUndone } from '../storage/deeds/deeds.ts'
import { homesOfKept } from '../storage/deeds/homes-of-kept.ts'
import { itemsAmong, type KeptItem, partsAmong } from '../storage/deeds/kept-items.ts'
import { itemOf } from '../storage/derived/distilled.ts'
import { eraseItem, replaceItem } from '../storage/derived/item-erasure.ts'
import type { Child } from '../storage/derived/item-lineage.ts'
import { entriesIn, itemKinds, itemsOfSession, homeOfItem } from '../storage/derived/items.ts'
import { type RestoredPart, restoreParts } from '../storage/derived/restored-parts.ts'
import { raiseEpoch } from '../storage/derived/reading.ts'
import { referenceMessages } from '../storage/derived/references.ts'
import { partitionById, type PartitionRow, savePartition } from '../storage/partitions.ts'
import { lost } from '../storage/lost.ts'
import type { Program } from '../storage/program.ts'
import { itemWithId } from '../storage/transfer/write-rows.ts'
import { uuidBytes, uuidText } from '../storage/uuid-bytes.ts'
import { checkStands, type EditedById, versionOfNothing } from '../storage/versions.ts'
import { indexLines, ownerWith } from './change-bank.ts'
import type { BankChangeRecord } from './deed.ts'
import { versionOfEntry } from './read-bank.ts'
import { bankDeed, recordOfDeed } from './read-deeds.ts'

/**
 * Takes a change of a bank back: the entry is as it was before, or the deleted entries stand again. Once only: a second
 * call changes nothing. What was forgotten, withdrawn or read again since does not come back.
 */
export function* restoreChange(partition: PartitionId, { id, expected }: EditedById, now: number): Program<BankChangeRecord> {
  const deed = yield* bankDeed(partition, id)
  if (expected !== undefined) checkStands(`entry of the change ${id}`, expected, yield* standingVersion(deed))
  if (deed.undone_at !== null) return yield* recordOfDeed(deed, now)
  if (deed.done_at + deedsKeptMs <= now)
    throw new InvalidOption({ option: 'id', received: id, expected: `a change of the last ${deedsKeptMs / 86_400_000} days` })
  const owner = yield* ownerWith(partition, id)
  if (deed.act === 'pin' || deed.act === 'unpin') yield* pinEntry(owner, uuidText(deed.ref), deed.act === 'unpin')
  else if (deed.act === 'correct') yield* takeCorrectionBack(owner, deed, now)
  else yield* bringBack(owner, deed, now)
  yield* noteUndone(deed, now)
  return yield* recordOfDeed({ ...deed, undone_at: now }, now)
}

/** Gives the version of the entry that a change was of; that of nothing when the change took it out. */
function* standingVersion({ partition_id: entries, ref }: DeedTable): Program<string> {
  const entry = ref.length === 0 ? undefined : yield* itemOf(entries, uuidText(ref))
  return entry === undefined ? versionOfNothing : versionOfEntry(entry)
}

/** Gives an entry the lines that it had before a correction. The lines that go are kept, as with a correction. */
function* takeCorrectionBack(owner: BankOwner, deed: DeedTable, now: number): Program<void> {
  const standing = yield* entryOf(owner, uuidText(deed.ref))
  const [kept] = itemsAmong(yield* keptTexts(deed))
  if (kept === undefined) throw nothingLeft(deed)
  yield* keepItems(yield* keeping(owner, { act: 'correct', ref: deed.ref }, uuidv7(now), now), [standing])
  const index = yield* indexLines(owner)
  const item = yield* standingAgain(owner, kept, new Map())
  // The children of a digest changed since: upkeep makes it again of those that stand.
  if (item === undefined) {
    owner.entries.epoch += 1
    yield* eraseItem(owner.entries, standing.ord)
    yield* savePartition(owner.entries)
  } else {
    const same = { home: standing.home_id ?? undefined, pinned: standing.pinned === 1 }
    yield* replaceItem(owner.entries, standing, { ...item, ...index(item.sentences), ...same }, kept.recordedAt)
  }
  yield* unsayAbove(owner, standing, index, now)
  if (standing.session_id > 0) yield* raiseEpoch(homeOfItem(standing), standing.session_id)
}

/** Stores deleted entries again, and the parts of conversations from which they were made. */
function* bringBack(owner: BankOwner, deed: DeedTable, now: number): Program<void> {
  const texts = yield* keptTexts(deed)
  const kept = itemsAmong(texts)
  const parts = partsAmong(texts)
  if (kept.length === 0 && parts.length === 0) throw nothingLeft(deed)
  const ofTalk = kept.filter(({ item }) => item.kind === itemKinds.bank && item.rung === 0)
  const homes = yield* homesOfKept(owner, ofTalk, parts)
  const leaves = ofTalk.map((one) => ({ ...one, item: { ...one.item, home: homes.get(one.item.session) } }))
  const shared = new Map<number, number>()
  for (const [session, partition] of homes) if (yield* sharesNow(owner, { partition, session })) shared.set(session, partition)
  const told = yield* partsBack(
    owner,
    leaves,
    parts.filter((part) => shared.has(part.session_id)),
    shared,
  )
  const index = yield* indexLines(owner)
  const places = new Map<string, Child>()
  for (const one of leaves.filter(({ item }) => shared.has(item.session)))
    if (yield* isFree(owner, one.item, told)) yield* store(owner, one, places, index, now)
  for (const one of digestsOf(kept)) yield* store(owner, one, places, index, now)
  for (const [session, home] of shared) yield* referencesBack(owner, { partition: home, session }, kept, now)
  if (places.size === 0 && told.size === 0) throw readAgain(deed)
  for (const [session, home] of shared) yield* raiseEpoch(home, session)
}

function digestsOf(kept: readonly KeptItem[]): readonly KeptItem[] {
  return kept.filter(({ item }) => item.kind === itemKinds.bank && item.rung > 0).toSorted((a, b) => a.item.rung - b.item.rung)
}

/** Gives blanked parts their words again. Returns the sessions and days of those that could not, since they were read again. */
function* partsBack(
  owner: BankOwner,
  leaves: readonly KeptItem[],
  parts: readonly RestoredPart[],
  sessions: ReadonlyMap<number, number>,
): Program<ReadonlySet<number>> {
  const told = new Set<number>()
  for (const [session, home] of sessions) {
    const own = parts.filter((part) => part.session_id === session)
    const spans = leaves.filter(({ item }) => item.session === session).flatMap(({ item }) => item.spans)
    if (yield* restoreParts(home, session, layerOfBank(owner), own, spans)) told.add(session)
  }
  return told
}

/** Tells whether a conversation's day has no entry, and its messages were not read again since. */
function* isFree(
  { entries }: BankOwner,
  { session, home = 0, period, spans }: KeptItem['item'],
  told: ReadonlySet<number>,
): Program<boolean> {
  const standing = (yield* itemsOfSession(home, session)).filter(
    (item) => item.partition_id === entries.id && item.kind === itemKinds.bank && item.rung === 0,
  )
  return !standing.some((item) => item.period === period) && (spans.length === 0 || told.has(session))
}

/**
 * Stores an entry again, if its place is free and its children stand as they were. Notes its new place. It gets another id
 * where an import of another owner has taken its own since, which SQLite gives once in a store.
 */
function* store(owner: BankOwner, kept: KeptItem, places: Map<string, Child>, index: IndexLines, now: number): Program<void> {
  const { item } = kept
  const uuid = uuidBytes(item.id)
  const taken = uuid === undefined ? undefined : yield* itemWithId(owner.entries.id, uuid)
  if (taken?.partition_id === owner.entries.id) return
  if (item.rung > 0 && (yield* entriesIn(owner.entries.id, item.rung, item.period)).length > 0) return
  const whole = yield* standingAgain(owner, kept, places)
  if (whole === undefined) return
  const id = taken === undefined ? item.id : uuidv7(now)
  const place = yield* replaceItem(owner.entries, undefined, { ...whole, id, ...index(whole.sentences) }, kept.recordedAt)
  places.set(item.id, [place, id])
}

/**
 * Returns an entry as it was, with the present places of its children. Undefined for a digest whose children changed
 * since: a person's words then stand for the children that are left.
 */
function* standingAgain(
  { entries }: BankOwner,
  { item }: KeptItem,
  places: ReadonlyMap<string, Child>,
): Program<KeptItem['item'] | undefined> {
  if (item.rung === 0) return item
  const now = new Map<number, Child>()
  const children = item.madeOf.flatMap((one): Child[] => (typeof one === 'number' ? [] : [one]))
  for (const [ord, id] of children) {
    const place = places.get(id) ?? ((yield* standsAt(entries, id, ord)) ? ([ord, id] as const) : undefined)
    if (place !== undefined) now.set(ord, place)
  }
  if (now.size < children.length && (item.hand === null || now.size === 0)) return undefined
  const at = (ord: number): number => now.get(ord)?.[0] ?? 0
  return {
    ...item,
    madeOf: children.map(([ord]) => now.get(ord)).filter((child) => child !== undefined),
    sentences: item.sentences.map(({ text, from }) => ({ text, from: from.map(at) })),
    spans: item.spans.flatMap(([ord, messages]): [number, number][] =>
      ord === 0 ? [[ord, messages]] : now.has(ord) ? [[at(ord), messages]] : [],
    ),
  }
}

function* standsAt(entries: PartitionRow, id: string, ord: number): Program<boolean> {
  return (yield* itemOf(entries.id, id))?.ord === ord
}

/** Lets a project find the messages of a session again that it found before. */
function* referencesBack(
  owner: BankOwner,
  { partition: home, session }: PlacedSession,
  kept: readonly KeptItem[],
  now: number,
): Program<void> {
  const seqs = kept.filter(({ item }) => item.kind === itemKinds.message && item.session === session).map(({ item }) => item.handSeq)
  if (seqs.length === 0) return
  const row = yield* partitionById(owner.entries.id)
  if (row === undefined) throw lost('partition')
  const [from, to, wanted] = [Math.min(...seqs), Math.max(...seqs), new Set(seqs)]
  const withheld = Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((seq) => !wanted.has(seq))
  yield* referenceMessages(row, home, session, { from, to, withheld }, now)
}

function nothingLeft({ uuid }: DeedTable): InvalidOption {
  return new InvalidOption({
    option: 'id',
    received: uuidText(uuid),
    expected: 'a change whose earlier words are still kept: it took none away, or they were forgotten since',
  })
}

function readAgain({ uuid }: DeedTable): InvalidOption {
  return new InvalidOption({
    option: 'id',
    received: uuidText(uuid),
    expected: 'a deletion whose messages were not read again since: upkeep has written their entries anew, or a member shares them no more',
  })
}
