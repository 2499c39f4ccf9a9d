import type { PlacedSession } from '../storage/derived/parts.ts'
import { NotFound } from '../errors/not-found.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { itemTerms } from '../index/item-terms.ts'
import { blankAhead, eraseEntriesAhead } from '../storage/erase/entries-ahead.ts'
import type { PartitionId } from '../scope/partition.ts'
import { correctEntry, type IndexLines } from '../storage/bank/bank-corrections.ts'
import {
  type BankOwner,
  clearBank,
  deleteEntry,
  entryOf,
  goingWith,
  itemsToClear,
  keepItems,
  keeping,
  pinEntry,
  rereadSessions,
  sessionsOf,
  sessionsToBlank,
  sessionOfItem,
} from '../storage/bank/bank-edits.ts'
import { bankBounds, type BankTurns } from '../storage/bank/bank-turns.ts'
import { inChunks } from '../storage/chunks.ts'
import { asNew } from '../storage/derived/as-new.ts'
import { digestsAbove } from '../storage/derived/digests-above.ts'
import { eraseItemsAt, replaceItem } from '../storage/derived/item-erasure.ts'
import { correctedLeaves, itemKinds, itemsAt, itemsOfSession } from '../storage/derived/items.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { saveReceipt } from '../storage/erase/receipts.ts'
import { newReceipt, receiptIdOf } from '../storage/erase/erases.ts'
import type { WritingHere } from '../storage/here.ts'
import type { ContextsOf } from '../storage/log/contexts.ts'
import { bankLanguage } from '../storage/log/sessions.ts'
import { Needles } from '../storage/needles.ts'
import { findDerived, findPartition, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { ItemTable, PartTable } from '../storage/schema.ts'
import { checkStands, type EditedById } from '../storage/versions.ts'
import { pathOf } from './path-of-day.ts'
import { localDay } from './periods.ts'
import { versionOfEntry } from './read-bank.ts'
import { bankSettings } from './settings.ts'

/** Finds the owner of a bank; undefined while there is no bank. */
function* ownerOf(partition: PartitionId): Program<BankOwner | undefined> {
  const entries = yield* findDerived(partition)
  if (entries === undefined) return undefined
  const source = partition.owner.kind === 'shared' ? undefined : (yield* findPartition(partition))?.id
  return { entries, source, project: entries.project_id }
}

export function* ownerWith(partition: PartitionId, id: string): Program<BankOwner> {
  const owner = yield* ownerOf(partition)
  if (owner === undefined) throw new NotFound({ kind: 'bank entry', id })
  return owner
}

/** Refuses a change of an entry that was made on another version. */
export function checkEntry(entry: ItemTable, { id, expected }: EditedById): void {
  checkStands(`bank entry ${id}`, expected, versionOfEntry(entry))
}

export function* pin(partition: PartitionId, edited: EditedById, pinned: boolean, now: number): Program<void> {
  const { id } = edited
  const owner = yield* ownerWith(partition, id)
  const before = yield* entryOf(owner, id)
  checkEntry(before, edited)
  if ((before.pinned === 1) === pinned) return
  yield* keeping(owner, { act: pinned ? 'pin' : 'unpin', ref: before.uuid }, uuidv7(now), now)
  yield* pinEntry(owner, id, pinned)
}

/** Puts a person's bullets in an entry's place. */
export function* correct(partition: PartitionId, edited: EditedById, lines: readonly string[], now: number): Program<string> {
  const { id } = edited
  const owner = yield* ownerWith(partition, id)
  const before = yield* entryOf(owner, id)
  checkEntry(before, edited)
  yield* keepItems(yield* keeping(owner, { act: 'correct', ref: before.uuid }, uuidv7(now), now), [before])
  return yield* correctEntry(owner, id, lines, yield* indexLines(owner), now)
}

/** Makes the index data of lines, in a bank's language. */
export function* indexLines({ entries }: BankOwner): Program<IndexLines> {
  const language = yield* bankLanguage(entries.id)
  return (sentences) => ({ sentences, ...itemTerms(sentences.map(({ text }) => text).join('\n'), language) })
}

/**
 * Takes out an entry with all entries below it, in as many transactions as needed. Keeps their words so that the
 * deletion can be taken back, unless they are to be forgotten.
 */
export async function deleteInTurns(
  here: WritingHere,
  partition: PartitionId,
  edited: EditedById,
  isForgetting: boolean,
  bounds = bankBounds,
): Promise<Erasure> {
  const { id } = edited
  const { owner, entry, items } = await here.read(going(partition, edited))
  const change = isForgetting ? undefined : { act: 'delete' as const, ref: entry.uuid }
  const receipt = newReceipt(here.now, { what: 'bank', of: partition, entry: id, isKept: !isForgetting })
  const turns = { receipt, now: here.now, needles: new Needles(), change }
  // The first transaction that takes entries out has the version still standing; the entry is among the first that go.
  await eraseEntriesAhead(here, turns, shownTo(owner), items, owner, bounds, () => stillStands(owner, edited))
  return here.write(() => deleteOne(partition, edited, items.length > bounds.items ? entry : undefined, turns))
}

function* going(partition: PartitionId, edited: EditedById) {
  const owner = yield* ownerWith(partition, edited.id)
  const entry = yield* entryOf(owner, edited.id)
  checkEntry(entry, edited)
  return { owner, entry, items: yield* goingWith(owner, entry) }
}

function* stillStands(owner: BankOwner, edited: EditedById): Program<void> {
  if (edited.expected !== undefined) checkEntry(yield* entryOf(owner, edited.id), edited)
}

/** Takes out the rest of an entry. `begun` is the entry, when most of it went ahead and it need not stand any more. */
function* deleteOne(
  partition: PartitionId,
  edited: EditedById,
  begun: ItemTable | undefined,
  { receipt, now, needles, change }: BankTurns,
): Program<Erasure> {
  const bank = yield* ownerWith(partition, edited.id)
  if (begun === undefined) yield* stillStands(bank, edited)
  const owner = yield* keeping(bank, change, receiptIdOf(receipt), now)
  return yield* deleteEntry(owner, begun ?? (yield* entryOf(owner, edited.id)), receipt, now, needles)
}

/** The manner of taking entries out: with a member, only those that rest on the member's words. */
export interface Clearing {
  readonly isForgetting: boolean
  readonly member?: PartitionId
  readonly bounds?: typeof bankBounds
}

/** Takes out all entries, in as many transactions as needed. Of a shared bank: those of one member, if one is given. */
export async function clearInTurns(
  here: WritingHere,
  partition: PartitionId,
  { isForgetting, member, bounds = bankBounds }: Clearing,
): Promise<Erasure> {
  const change = isForgetting ? undefined : { act: 'clear' as const }
  const receipt = newReceipt(here.now, { what: 'bank', of: partition, member, isKept: !isForgetting })
  const turns = { receipt, now: here.now, needles: new Needles(), change }
  const found = await here.read(cleared(partition, member))
  if (found !== undefined) {
    const { owner, sessions, items } = found
    await blankAhead(here, turns, owner, sessions, bounds)
    await eraseEntriesAhead(here, turns, shownTo(owner), items, owner, bounds)
  }
  return here.write(() => clear(partition, member, turns))
}

/** Finds the bank and the member whose entries are taken out; undefined where there is nothing to take out. */
function* clearing(partition: PartitionId, member: PartitionId | undefined) {
  const owner = yield* ownerOf(partition)
  const id = member === undefined ? undefined : (yield* findPartition(member))?.id
  return owner === undefined || (member !== undefined && id === undefined) ? undefined : { owner, id }
}

function* cleared(partition: PartitionId, member: PartitionId | undefined) {
  const found = yield* clearing(partition, member)
  if (found === undefined) return undefined
  const { owner, id } = found
  return { owner, sessions: yield* sessionsToBlank(owner, id), items: yield* itemsToClear(owner, id) }
}

function* clear(partition: PartitionId, member: PartitionId | undefined, { receipt, now, needles, change }: BankTurns): Program<Erasure> {
  const found = yield* clearing(partition, member)
  if (found === undefined) return { receipt: yield* saveReceipt(receipt, { bank: 0 }, 'done', now), needles: needles.all }
  return yield* clearBank(yield* keeping(found.owner, change, receiptIdOf(receipt), now), found.id, receipt, now, needles)
}

function shownTo({ source, project }: BankOwner): ContextsOf {
  return source === undefined ? { project } : { partition: source }
}

/** Has every session read again, some at a time, entries that were taken out by hand included. Gives the number of sessions. */
export async function rebuildInTurns(here: WritingHere, partition: PartitionId, bounds = bankBounds): Promise<number> {
  const owner = await here.read(ownerOf(partition))
  if (owner === undefined) return 0
  const { timeZone } = bankSettings(await here.read(projectSettings(partition.project)))
  // Also true of a run across midnight, which is then read anew for nothing.
  const isOfOtherDay = ({ first_at: firstAt, last_at: lastAt, sitting }: PartTable) =>
    [firstAt, lastAt].some((at) => localDay(at, timeZone) !== sitting)
  for (const some of inChunks(await here.read(correctedLeaves(owner.entries.id)), bounds.items))
    await here.write(() => moveByHand(partition, some, timeZone), some.length)
  const sessions = await here.read(sessionsOf(owner))
  for (const some of inChunks(sessions, bounds.sessions)) await here.write(() => rereadSessions(owner, some, isOfOtherDay), some.length)
  return sessions.length
}

/** Moves a person's words to the day that their messages now have. Else the entry that they replaced would come back there. */
function* moveByHand(partition: PartitionId, corrected: readonly ItemTable[], timeZone: string): Program<void> {
  const owner = yield* ownerOf(partition)
  if (owner === undefined) return
  const language = yield* bankLanguage(owner.entries.id)
  for (const leaf of yield* itemsAt(
    owner.entries.id,
    corrected.map(({ ord }) => ord),
  )) {
    const period = pathOf(localDay(leaf.first_at, timeZone))
    if (yield* hasLeaf(owner, sessionOfItem(leaf), period)) continue
    // The digests of the old period would keep its words, and no forget would find them there.
    const above = yield* digestsAbove([leaf])
    owner.entries.epoch += 1
    yield* eraseItemsAt(
      owner.entries,
      above.map(({ ord }) => ord),
      new Needles(),
    )
    yield* replaceItem(owner.entries, leaf, { ...asNew(leaf), ...itemTerms(leaf.content, language), period }, leaf.recorded_at)
  }
}

function* hasLeaf({ entries }: BankOwner, { partition: home, session }: PlacedSession, day: string): Program<boolean> {
  return (yield* itemsOfSession(home, session)).some(
    ({ partition_id: partition, kind, rung, period }) =>
      partition === entries.id && kind === itemKinds.bank && rung === 0 && period === day,
  )
}
