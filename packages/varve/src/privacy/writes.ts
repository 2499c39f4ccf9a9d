import { uuidv7 } from '../ids/uuid.ts'
import { indexPagesInTurns } from '../pages/index-page.ts'
import { unindexInTurns } from '../pages/unindex.ts'
import type { PartitionId } from '../scope/partition.ts'
import { eraseProject, forget } from '../storage/erase/erasure.ts'
import { type ForgetSelection, pagesUnder } from '../storage/erase/forget-selection.ts'
import type { WritingHere } from '../storage/here.ts'
import { Needles } from '../storage/needles.ts'
import { erasuresIn } from './pending-erasures.ts'

/** How things are forgotten. */
export const privacyWrites = {
  forget: async (here: WritingHere, partition: PartitionId, selection: ForgetSelection) => {
    const needles = new Needles()
    await unindexInTurns(here, await here.read(pagesUnder(partition, selection)), needles)
    const erasure = await here.write(() => forget(partition, selection, uuidv7(here.now), here.now, needles))
    await indexPagesInTurns(here, here.now)
    return erasure
  },
  deleteProject: ({ now }: WritingHere, name: string) => eraseProject(name, uuidv7(now), now),
  /** Also has pages found again whose passages were taken out by a forget that ended before its time. */
  finish: async (here: WritingHere) => {
    const finished = await erasuresIn(here).finish(here)
    await indexPagesInTurns(here, here.now)
    return finished
  },
}
