import { NotFound } from '../errors/not-found.ts'
import { itemTerms } from '../index/item-terms.ts'
import type { PartitionId } from '../scope/partition.ts'
import { asNew, correctEntry } from '../storage/bank/bank-corrections.ts'
import { type BankOwner, clearBank, deleteEntry, pinEntry, rebuildBank } from '../storage/bank/bank-edits.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { replaceItem } from '../storage/derived/item-erasure.ts'
import { allItems, itemKinds } from '../storage/derived/items.ts'
import { findDerived, findPartition, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { PartTable } from '../storage/schema.ts'
import { bankLanguage } from '../storage/log/sessions.ts'
import { saveReceipt } from '../storage/erase/receipts.ts'
import { pathOf } from './path-of-day.ts'
import { localDay } from './periods.ts'
import { bankSettings } from './settings.ts'

/** Whose bank it is: undefined while there is none. */
function* ownerOf(partition: PartitionId): Program<BankOwner | undefined> {
  const entries = yield* findDerived(partition)
  if (entries === undefined) return undefined
  const source = partition.owner.kind === 'shared' ? undefined : (yield* findPartition(partition))?.id
  return { entries, source, project: entries.project_id }
}

function* ownerWith(partition: PartitionId, id: string): Program<BankOwner> {
  const owner = yield* ownerOf(partition)
  if (owner === undefined) throw new NotFound({ kind: 'bank entry', id })
  return owner
}

export function* pin(partition: PartitionId, id: string, pinned: boolean): Program<void> {
  yield* pinEntry(yield* ownerWith(partition, id), id, pinned)
}

/** Puts a person's bullets in an entry's place. */
export function* correct(partition: PartitionId, id: string, lines: readonly string[], now: number): Program<string> {
  const owner = yield* ownerWith(partition, id)
  const language = yield* bankLanguage(owner.entries.id)
  return yield* correctEntry(owner, id, lines, (sentences) => ({ sentences, ...itemTerms(sentences.map(({ text }) => text).join('\n'), language) }), now)
}

export function* deleteOne(partition: PartitionId, id: string, receipt: string, now: number): Program<Erasure> {
  return yield* deleteEntry(yield* ownerWith(partition, id), id, receipt, now)
}

export function* clear(partition: PartitionId, receipt: string, now: number): Program<Erasure> {
  const owner = yield* ownerOf(partition)
  if (owner === undefined) return { receipt: yield* saveReceipt(receipt, { bank: 0 }, 'done', now), needles: [] }
  return yield* clearBank(owner, receipt, now)
}

/** Has everything read again, what was taken out by hand included; gives back how many sessions. */
export function* rebuild(partition: PartitionId): Program<number> {
  const owner = yield* ownerOf(partition)
  const { timeZone } = bankSettings(yield* projectSettings(partition.project))
  // Or of a run across midnight, which is then read anew for nothing.
  const isOfOtherDay = ({ first_at: firstAt, last_at: lastAt, sitting }: PartTable) => [firstAt, lastAt].some((at) => localDay(at, timeZone) !== sitting)
  if (owner === undefined) return 0
  yield* moveByHand(owner, timeZone)
  return yield* rebuildBank(owner, isOfOtherDay)
}

/** What a person wrote goes to the day that its messages are of by now: or what it replaced would stand there again. */
function* moveByHand({ entries }: BankOwner, timeZone: string): Program<void> {
  const leaves = (yield* allItems(entries.id)).filter(({ kind, rung }) => kind === itemKinds.bank && rung === 0)
  const language = yield* bankLanguage(entries.id)
  for (const leaf of leaves.filter(({ hand }) => hand !== null)) {
    const period = pathOf(localDay(leaf.first_at, timeZone))
    if (leaves.some((other) => other.session_id === leaf.session_id && other.period === period)) continue
    yield* replaceItem(entries, leaf, { ...asNew(leaf), ...itemTerms(leaf.content, language), period }, leaf.recorded_at)
  }
}
