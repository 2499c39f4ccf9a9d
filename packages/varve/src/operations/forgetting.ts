import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { PartitionMeans } from './means.ts'

/** Erases something from the store, and from the files of notes. */
export function erased<Result>({ mirror, partition }: PartitionMeans, erase: () => Promise<Result>): Promise<Result> {
  return mirror === undefined ? erase() : mirror.erasing([partition], erase)
}

/**
 * Forgets a selection, and tells so before its bytes are overwritten: it is gone from every answer by then. With the `state`
 * of a preview, exactly what that showed goes.
 */
export async function forgotten(means: PartitionMeans, selection: ForgetSelection, state?: string): Promise<Receipt> {
  const { receipt } = await erased(means, () => means.engine.write('privacy.forget', means.partition, selection, state))
  const { observer, who } = means
  observer.count('forgotten', receipt.counts['message'] ?? 0)
  observer.emit({ type: 'forgotten', ...who, receipt: receipt.id, counts: receipt.counts })
  return means.finishErasure(receipt)
}
