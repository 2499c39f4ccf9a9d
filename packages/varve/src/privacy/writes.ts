import { indexPagesInTurns } from '../pages/index-page.ts'
import type { PartitionId, ProjectName } from '../scope/partition.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { newReceipt } from '../storage/erase/erases.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import { turnBounds, wholeBounds } from '../storage/erase/turns.ts'
import { saveReceipt } from '../storage/erase/receipts.ts'
import type { WritingHere } from '../storage/here.ts'
import { Needles } from '../storage/needles.ts'
import { pagesToIndex } from '../storage/pages/pages.ts'
import { findPartition } from '../storage/partitions.ts'
import { abreast } from '../storage/program.ts'
import { dropImportsAhead } from '../storage/transfer/drop-imports-ahead.ts'
import { isFull, withRoom } from '../storage/with-room.ts'
import type { EditedById } from '../storage/versions.ts'
import { deleteProjectInTurns, forgetInTurns, replaceInBlocksToo } from './forgetting.ts'
import { eraseDeedsInTurns, eraseTextsInTurns } from './old-deeds.ts'
import { indexBlocksIn, makeBlocksFindable, partitionsWithUnfound } from './findable-blocks.ts'
import { erasuresIn } from './pending-erasures.ts'
import { stillAsShown } from './shown-forget.ts'

/** Does what upkeep does as well, unless the disk is full. */
async function unlessFull(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isFull(error)) throw error
  }
}

/** The writes that forget. */
export const privacyWrites = {
  /** `state`: that of a preview. Where it is another one by now, nothing is erased. */
  forget: async (here: WritingHere, partition: PartitionId, selection: ForgetSelection, state?: string) => {
    const shown = state === undefined ? undefined : await here.read(stillAsShown(partition, selection, state))
    const erasure = await withRoom(here, (isFull) => forgetInTurns(here, partition, selection, isFull ? wholeBounds : turnBounds, shown))
    const [pages, unfound] = await here.read(abreast([pagesToIndex(), partitionsWithUnfound(partition)]))
    await unlessFull(() => indexPagesInTurns(here, here.now, pages))
    await unlessFull(() => indexBlocksIn(here, unfound))
    return erasure
  },
  /** Erases the texts kept for some changes by hand. */
  eraseTexts: (here: WritingHere, ids: readonly string[]) => withRoom(here, () => eraseTextsInTurns(here, ids)),
  /** Drops imports that wait, and came by a time. Undefined when there is none. */
  dropImports: async (here: WritingHere, of: PartitionId, until: number): Promise<Erasure | undefined> => {
    const owner = await here.read(findPartition(of))
    const needles = new Needles()
    const count = owner === undefined ? 0 : await dropImportsAhead(here, owner, needles, until)
    if (count === 0) return undefined
    await makeBlocksFindable(here, of)
    const receipt = newReceipt(here.now, { what: 'imports', of, until })
    return here.write(function* () {
      return { receipt: yield* saveReceipt(receipt, { import: count }, 'pending', here.now), needles: needles.all }
    })
  },
  /** Replaces the words of a message. What blocks say of the old ones goes as with a forget. */
  replace: async (here: WritingHere, partition: PartitionId, edited: EditedById, content: string) => {
    const replaced = await withRoom(here, () => replaceInBlocksToo(here, partition, edited, content))
    await unlessFull(() => makeBlocksFindable(here, partition))
    return replaced
  },
  deleteProject: (here: WritingHere, name: ProjectName) =>
    withRoom(here, (isFull) => deleteProjectInTurns(here, name, isFull ? wholeBounds : turnBounds)),
  /**
   * Finishes erasures. Also erases the words of changes by hand that can no longer be taken back, and indexes pages again
   * whose passages were taken out by a forget that ended early.
   */
  finish: async (here: WritingHere) => {
    await eraseDeedsInTurns(here)
    const finished = await erasuresIn(here).finish(here)
    await indexPagesInTurns(here, here.now)
    return finished
  },
}
