import { newReceipt } from '../storage/erase/erases.ts'
import { withdrawAhead } from '../storage/erase/entries-ahead.ts'
import { bankBounds } from '../storage/bank/bank-turns.ts'
import {
  endsAnswers,
  fedByUser,
  fedToProject,
  setSharing,
  shareByDefault,
  type SharingChange,
  sharingOf,
  withWithdrawn,
} from '../storage/bank/sharing.ts'
import type { WritingHere } from '../storage/here.ts'
import { Needles } from '../storage/needles.ts'
import { timed } from '../storage/offer.ts'
import { ensureProject, setProjectSettings } from '../storage/partitions.ts'
import { type PartitionId, partitionId, projectName } from '../scope/partition.ts'

/** The writes of projects and of their sharing. */
export const projectWrites = {
  create: timed(ensureProject),
  set: timed(setProjectSettings),
  setSharing: async (here: WritingHere, project: string, change: SharingChange, bounds = bankBounds) => {
    const of = partitionId(projectName(project), { kind: 'shared' })
    const { receipt, now, needles } = turnsIn(here, { of, ...(change.on ? { answers: true } : {}) })
    const ends = !change.on || endsAnswers(await here.read(sharingOf(project)), change.assistants)
    if (ends) await withdrawAhead(here, { receipt, now, needles }, await here.read(fedToProject(project)), bounds)
    return here.write(() => withWithdrawn(setSharing(project, change, receipt, now, needles)))
  },
  shareByDefault: async (here: WritingHere, partition: PartitionId, share: boolean, bounds = bankBounds) => {
    const { receipt, now, needles } = turnsIn(here, { of: partition })
    if (!share) await withdrawAhead(here, { receipt, now, needles }, await here.read(fedByUser(partition, undefined)), bounds)
    return here.write(() => withWithdrawn(shareByDefault(partition, share, receipt, now, needles)))
  },
}

function turnsIn({ now }: WritingHere, whose: { readonly of: PartitionId; readonly answers?: true }) {
  return { receipt: newReceipt(now, { what: 'sharing', ...whose }), now, needles: new Needles() }
}
