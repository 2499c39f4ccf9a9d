import { indexPagesInTurns } from '../pages/index-page.ts'
import type { PartitionId, ProjectName } from '../scope/partition.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import type { WritingHere } from '../storage/here.ts'
import { deleteProjectInTurns, forgetInTurns, replaceInBlocksToo } from './forgetting.ts'
import { erasuresIn } from './pending-erasures.ts'

/** The writes that forget. */
export const privacyWrites = {
  forget: async (here: WritingHere, partition: PartitionId, selection: ForgetSelection) => {
    const erasure = await forgetInTurns(here, partition, selection)
    await indexPagesInTurns(here, here.now)
    return erasure
  },
  /** Replaces the words of a message. What blocks say of the old ones goes as with a forget. */
  replace: (here: WritingHere, partition: PartitionId, id: string, content: string) => replaceInBlocksToo(here, partition, id, content),
  deleteProject: (here: WritingHere, name: ProjectName) => deleteProjectInTurns(here, name),
  /** Finishes erasures. Also indexes pages again whose passages were taken out by a forget that ended early. */
  finish: async (here: WritingHere) => {
    const finished = await erasuresIn(here).finish(here)
    await indexPagesInTurns(here, here.now)
    return finished
  },
}
