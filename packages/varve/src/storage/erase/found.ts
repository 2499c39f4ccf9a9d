import type { PartitionId } from '../../scope/partition.ts'
import { findPartition, nearTo, type PartitionRow } from '../partitions.ts'
import { abreast, answer, type Program } from '../program.ts'
import type { NewReceipt } from './erases.ts'
import { type ForgetSelection, isWholeSession } from './forget-selection.ts'
import { doomedAgain, type FoundBefore, searchIn, seeAgain, type SeenAgain } from './meant.ts'
import { type ReceiptStanding, standingOf } from './receipts.ts'
import { type Selected, selectMessages } from './selected.ts'

/** What an erasing transaction finds at its beginning. */
export interface FoundAtFirst {
  /** Undefined where nothing was ever stored. */
  readonly owner: PartitionRow | undefined
  /** The partitions around it (nearTo). */
  readonly near: string
  readonly selected: Selected
  /** What its receipt needs. */
  readonly standing: ReceiptStanding
}

interface Asked {
  readonly partition: PartitionId
  readonly selection: ForgetSelection
  readonly receipt: NewReceipt
  readonly now: number
}

/**
 * Finds a selection with its partition, in one step where a search found it before. The rows that are looked at by the
 * earlier number count only if the partition still has it.
 */
export function* foundFor({ partition, selection, receipt, now }: Asked, before: FoundBefore | undefined): Program<FoundAtFirst> {
  const [owner, standing, again] = yield* abreast([
    findPartition(partition),
    standingOf(receipt, now),
    before === undefined ? answer(undefined) : seeAgain(selection, before),
  ])
  if (owner === undefined) return { owner, near: '', selected: { doomed: [], session: undefined }, standing }
  if (again !== undefined && owner.id === before?.owner)
    return { owner, near: again.near, selected: yield* selectedAgain(owner, selection, again), standing }
  // The partition was forgotten and made anew: its ordinals are others, and nothing in it was shown.
  const [{ doomed, session }, near] = yield* abreast([selectMessages(owner, selection), nearTo(owner.id)])
  return { owner, near, selected: { doomed: before?.isShown === true ? [] : doomed, session }, standing }
}

function* selectedAgain(owner: PartitionRow, selection: ForgetSelection, again: SeenAgain): Program<Selected> {
  // A session without a row is looked for among the contexts, or is not found.
  const { session } = again.session === undefined ? yield* searchIn(owner, selection) : again
  return { doomed: doomedAgain(selection, again), session: isWholeSession(selection) ? session : undefined }
}
