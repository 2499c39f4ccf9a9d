import { uuidv7 } from '../ids/uuid.ts'
import { indexPagesInTurns } from '../pages/index-page.ts'
import type { PartitionId } from '../scope/partition.ts'
import { eraseProject, forget } from '../storage/erase/erasure.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import type { WritingHere } from '../storage/here.ts'
import { erasuresIn } from './pending-erasures.ts'

/** How things are forgotten. */
export const privacyWrites = {
  forget: async (here: WritingHere, partition: PartitionId, selection: ForgetSelection) => {
    const erasure = await here.write(() => forget(partition, selection, uuidv7(here.now), here.now))
    await indexPagesInTurns(here, here.now)
    return erasure
  },
  deleteProject: ({ now }: WritingHere, name: string) => eraseProject(name, uuidv7(now), now),
  finish: (here: WritingHere) => erasuresIn(here).finish(here),
}
