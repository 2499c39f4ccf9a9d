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
  versionOfSharing,
  withWithdrawn,
} from '../storage/bank/sharing.ts'
import type { WritingHere } from '../storage/here.ts'
import { Needles } from '../storage/needles.ts'
import { timed } from '../storage/offer.ts'
import type { Program } from '../storage/program.ts'
import { checkStands, onVersion } from '../storage/versions.ts'
import { settingsVersion, shareVersion, withVersion } from './versions.ts'
import { ensureProject, setProjectSettings } from '../storage/partitions.ts'
import { type PartitionId, partitionId, projectName } from '../scope/partition.ts'

/** The writes of projects and of their sharing. Each change may name the version that it was made on; undefined for any. */
export const projectWrites = {
  create: timed(ensureProject),
  set: timed((project: string, expected: string | undefined, changes: Readonly<Record<string, unknown>>, now: number) =>
    withVersion(
      onVersion({ page: `settings of ${project}`, expected }, settingsVersion(project), setProjectSettings(project, changes, now)),
    ),
  ),
  setSharing: async (here: WritingHere, project: string, expected: string | undefined, change: SharingChange, bounds = bankBounds) => {
    const page = `sharing of ${project}`
    const of = partitionId(projectName(project), { kind: 'shared' })
    const { receipt, now, needles } = turnsIn(here, { of, ...(change.on ? { answers: true } : {}) })
    const before = await here.read(sharingOf(project))
    checkStands(page, expected, versionOfSharing(before))
    if (!change.on || endsAnswers(before, change.assistants))
      await withdrawAhead(here, { receipt, now, needles }, await here.read(fedToProject(project)), bounds)
    return here.write(() =>
      withWithdrawn(onVersion({ page, expected }, sharingVersion(project), setSharing(project, change, receipt, now, needles))),
    )
  },
  shareByDefault: async (here: WritingHere, partition: PartitionId, expected: string | undefined, share: boolean, bounds = bankBounds) => {
    const { receipt, now, needles } = turnsIn(here, { of: partition })
    const page = 'settings of the user'
    checkStands(page, expected, await here.read(shareVersion(partition)))
    if (!share) await withdrawAhead(here, { receipt, now, needles }, await here.read(fedByUser(partition, undefined)), bounds)
    return here.write(() =>
      withWithdrawn(onVersion({ page, expected }, shareVersion(partition), shareByDefault(partition, share, receipt, now, needles))),
    )
  },
}

function* sharingVersion(project: string): Program<string> {
  return versionOfSharing(yield* sharingOf(project))
}

function turnsIn({ now }: WritingHere, whose: { readonly of: PartitionId; readonly answers?: true }) {
  return { receipt: newReceipt(now, { what: 'sharing', ...whose }), now, needles: new Needles() }
}
