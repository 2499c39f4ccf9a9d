import { uuidv7 } from '../ids/uuid.ts'
import { setSharing, shareByDefault, withWithdrawn } from '../storage/bank/sharing.ts'
import type { Here } from '../storage/here.ts'
import { timed } from '../storage/offer.ts'
import { ensureProject, setProjectSettings } from '../storage/partitions.ts'
import type { PartitionId } from './partition.ts'

/** What can be changed of projects and of what their users share. */
export const projectWrites = {
  create: timed(ensureProject),
  set: timed(setProjectSettings),
  setSharing: ({ now }: Here, project: string, on: boolean, backfill: boolean) => withWithdrawn(setSharing(project, on, backfill, uuidv7(now), now)),
  shareByDefault: ({ now }: Here, partition: PartitionId, share: boolean) => withWithdrawn(shareByDefault(partition, share, uuidv7(now), now)),
}
