import { countLosing, goneWords } from '../blocks/forget-sentences.ts'
import { countLosingNotes } from './forget-notes.ts'
import type { PartitionId } from '../scope/partition.ts'
import { previewForget } from '../storage/erase/erasure.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import { selectMessages } from '../storage/erase/selected.ts'
import { summed } from '../storage/erase/receipts.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'

/** Counts what a selection would erase, without erasing it: messages, all that rests on them, and blocks that lose sentences. */
export function* previewOf(partition: PartitionId, selection: ForgetSelection): Program<Readonly<Record<string, number>>> {
  const counts = yield* previewForget(partition, selection)
  const owner = selection.all === true ? undefined : yield* findPartition(partition)
  if (owner === undefined) return counts
  const { doomed, session } = yield* selectMessages(owner, selection)
  const words = yield* goneWords(
    owner.id,
    doomed.map(({ ord }) => ord),
  )
  if (words === undefined) return counts
  const losing = { block: yield* countLosing(words, session?.id), ...(yield* countLosingNotes(words, session?.id)) }
  return summed(counts, Object.fromEntries(Object.entries(losing).filter(([, count]) => count > 0)))
}
