import { indexPagesInTurns } from '../pages/index-page.ts'
import type { PartitionId, ProjectName } from '../scope/partition.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import { turnBounds, wholeBounds } from '../storage/erase/turns.ts'
import type { WritingHere } from '../storage/here.ts'
import { isFull, withRoom } from '../storage/with-room.ts'
import { deleteProjectInTurns, forgetInTurns, replaceInBlocksToo } from './forgetting.ts'
import { eraseDeedsInTurns } from './old-deeds.ts'
import { erasuresIn } from './pending-erasures.ts'

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
  forget: async (here: WritingHere, partition: PartitionId, selection: ForgetSelection) => {
    const erasure = await withRoom(here, (isFull) => forgetInTurns(here, partition, selection, isFull ? wholeBounds : turnBounds))
    await unlessFull(() => indexPagesInTurns(here, here.now))
    return erasure
  },
  /** Replaces the words of a message. What blocks say of the old ones goes as with a forget. */
  replace: (here: WritingHere, partition: PartitionId, id: string, content: string) =>
    withRoom(here, () => replaceInBlocksToo(here, partition, id, content)),
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
