import { NotFound } from '../errors/not-found.ts'
import { itemTerms } from '../index/item-terms.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type BankOwner, clearBank, correctEntry, deleteEntry, pinEntry, rebuildBank } from '../storage/bank-edits.ts'
import type { Erasure } from '../storage/erasure.ts'
import { findDerived, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { saveReceipt } from '../storage/receipts.ts'

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
  const sentences = lines.map((text) => ({ text, from: [] }))
  return yield* correctEntry(yield* ownerWith(partition, id), id, { sentences, ...itemTerms(lines.join('\n'), '') }, now)
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
  return owner === undefined ? 0 : yield* rebuildBank(owner)
}
