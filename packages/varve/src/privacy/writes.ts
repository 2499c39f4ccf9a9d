import { uuidv7 } from '../ids/uuid.ts'
import { thenIndexed } from '../pages/index-page.ts'
import type { PartitionId } from '../scope/partition.ts'
import { eraseProject, forget } from '../storage/erase/erasure.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import type { WritingHere } from '../storage/here.ts'
import { erasuresIn } from './pending-erasures.ts'

/** How things are forgotten. */
export const privacyWrites = {
  forget: ({ now }: WritingHere, partition: PartitionId, selection: ForgetSelection) => thenIndexed(forget(partition, selection, uuidv7(now), now), now),
  deleteProject: ({ now }: WritingHere, name: string) => thenIndexed(eraseProject(name, uuidv7(now), now), now),
  finish: (here: WritingHere) => erasuresIn(here).finish(here),
}
