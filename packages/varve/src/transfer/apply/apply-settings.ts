import { sharingOf, takeSharing } from '../../storage/bank/sharing.ts'
import { takeForgotten } from '../../storage/log/forgotten-ids.ts'
import { projectSettings, setProjectSettings, setShare } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import { countIn } from '../import-counts.ts'
import type { RecordOf } from '../records.ts'
import type { Applying } from './applying.ts'

/** Takes over the settings of a project that are not set here. From a stranger it takes none: they decide what is paid and shared. */
export function* applyProject(applying: Applying, record: RecordOf<'project'>): Program<void> {
  const { partition, counts, now } = applying
  if (!applying.isVouchedFor) return countIn(counts, 'leftOut', 'project')
  const here = yield* projectSettings(partition.project)
  const fresh = Object.fromEntries(Object.entries(record.settings).filter(([name]) => !Object.hasOwn(here, name)))
  if (Object.keys(fresh).length > 0) yield* setProjectSettings(partition.project, fresh, now)
  const isOn = (yield* sharingOf(partition.project)).on
  const { sharingSince: since, answers } = record
  if (since !== undefined && !isOn) yield* takeSharing(partition.project, since, answers, now)
  countIn(counts, 'stored', 'project')
}

/** Takes over that a user shares nothing. Consent to share is given here, by whoever it is. */
export function* applyOwner(applying: Applying, record: RecordOf<'owner'>): Program<void> {
  if (!record.share) yield* setShare(applying.partition, false, applying.now)
  countIn(applying.counts, 'stored', 'owner')
}

/**
 * Takes over hashes of forgotten ids, so that their messages do not come here by another way. Those of a stranger count for
 * what was said before the export, or at a time that nobody told: nothing newer may vanish because a file guessed its id.
 */
export function* applyForgotten(applying: Applying, record: RecordOf<'forgotten'>): Program<void> {
  const { partition, header, now, isVouchedFor, counts } = applying
  const upTo = record.upTo ?? (isVouchedFor ? undefined : header.exportedAt)
  const taken = yield* takeForgotten(partition, {
    keys: record.keys.map((key) => Buffer.from(key, 'base64url')),
    digests: record.digests.map((digest) => Buffer.from(digest, 'hex')),
    ...(upTo === undefined ? {} : { upTo: Math.min(upTo, header.exportedAt, now) }),
  })
  if (taken === undefined) return countIn(counts, 'leftOut', 'forgotten', record.digests.length)
  if (taken > 0) countIn(counts, 'stored', 'forgotten', taken)
  if (taken < record.digests.length) countIn(counts, 'duplicates', 'forgotten', record.digests.length - taken)
}
