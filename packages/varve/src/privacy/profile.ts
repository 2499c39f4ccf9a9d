import type { Profiles, SubjectFacts } from '../facts/profiles.ts'
import { standingInstructions } from '../instructions/read-instructions.ts'
import type { PartitionId } from '../scope/partition.ts'
import { countBlocksOf } from '../storage/derived/blocks.ts'
import { countItems } from '../storage/derived/items.ts'
import type { WrittenCounts } from '../storage/kinds.ts'
import { countPages, pageKinds } from '../storage/pages/pages.ts'
import { findDerived, findKnown, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { countSessions, type Session, sessions } from '../storage/log/sessions.ts'
import { portraitsOf } from './portraits.ts'
import type { Portrait } from './saying.ts'
import type { Sayings } from './sayings.ts'

/** A summary of what is stored on a user. Times are UTC milliseconds. */
export interface Profile {
  /** Absent for the anonymous user. */
  readonly user?: string
  /** The numbers of stored items. `entries` are those of the bank, `instructions` those that stand. */
  readonly counts: WrittenCounts & {
    readonly messages: number
    readonly sessions: number
    readonly blocks: number
    readonly facts: number
    readonly instructions: number
    readonly documents: number
    readonly notes: number
  }
  /** The time of the last message. */
  readonly lastSeen?: number
  /** The 10 sessions with the newest talk. */
  readonly sessions: readonly Session[]
  /**
   * The facts that hold now, by subject. The user comes first, then the most mentioned subjects; of each, the most said
   * facts first.
   */
  readonly subjects: readonly SubjectFacts[]
  /**
   * Each person in the words that were said, up to 150 words: first who the person is, then what else the person told. In
   * the order of `subjects`, then the other speakers.
   */
  readonly portraits: readonly Portrait[]
}

const sessionsTold = 10

/** What is kept of profiles between two calls. */
export interface ProfileMeans {
  readonly profiles: Profiles
  readonly sayings: Sayings
}

export function* profileOf({ profiles, sayings }: ProfileMeans, partition: PartitionId, now: number): Program<Profile> {
  const [owner, derived, known] = [yield* findPartition(partition), yield* findDerived(partition), yield* findKnown(partition)]
  const { items: recent } = yield* sessions(partition, { limit: sessionsTold })
  const subjects = yield* profiles.of(partition, now)
  const lastSeen = Math.max(...recent.flatMap(({ lastAt }) => lastAt ?? []))
  return {
    ...(partition.owner.kind === 'user' ? { user: partition.owner.name } : {}),
    counts: {
      messages: owner?.messages ?? 0,
      sessions: owner === undefined ? 0 : yield* countSessions(owner.id),
      ...(yield* countItems(derived?.id)),
      blocks: owner === undefined ? 0 : yield* countBlocksOf(owner.id, undefined),
      facts: known === undefined ? 0 : yield* profiles.countOf(known),
      instructions: (yield* standingInstructions(partition)).length,
      documents: owner === undefined ? 0 : yield* countPages(owner.id, pageKinds.document),
      notes: owner === undefined ? 0 : yield* countPages(owner.id, pageKinds.notes),
    },
    ...(Number.isFinite(lastSeen) ? { lastSeen } : {}),
    sessions: recent,
    subjects,
    portraits: owner === undefined ? [] : yield* portraitsOf(partition, owner.id, { subjects, pooled: yield* sayings.of(partition), now }),
  }
}
