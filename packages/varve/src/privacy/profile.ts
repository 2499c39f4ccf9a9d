import type { Profiles, SubjectFacts } from '../facts/profiles.ts'
import { entityKey } from '../facts/keys.ts'
import { portrayed } from '../facts/portrayed.ts'
import { standingInstructions } from '../instructions/read-instructions.ts'
import type { PartitionId } from '../scope/partition.ts'
import { countBlocksOf } from '../storage/derived/blocks.ts'
import { countItems } from '../storage/derived/items.ts'
import type { WrittenCounts } from '../storage/kinds.ts'
import { countPages, pageKinds } from '../storage/pages/pages.ts'
import { findDerived, findKnown, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { countSessions, type Session, sessions } from '../storage/log/sessions.ts'
import type { PersonSayings, Portrait } from './saying.ts'
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
  /** What is always told of each person, with up to 150 words of sayings. In the order of `subjects`, then the other speakers. */
  readonly portraits: readonly Portrait[]
}

const sessionsTold = 10

/** What is kept of profiles between two calls. */
export interface ProfileMeans {
  readonly profiles: Profiles
  readonly sayings: Sayings
}

/** Joins the facts on each person with what that person said. */
function portraitsOf(subjects: readonly SubjectFacts[], said: readonly PersonSayings[]): readonly Portrait[] {
  const key = ({ subject }: { readonly subject: string }): string => entityKey(subject)
  const sayings = new Map(said.map((one) => [key(one), one.sayings]))
  const told = subjects.map((one) => ({ subject: one.subject, facts: portrayed(one.facts), sayings: sayings.get(key(one)) ?? [] }))
  const known = new Set(subjects.map(key))
  const others = said.filter((one) => !known.has(key(one))).map((one) => ({ ...one, facts: [] }))
  return [...told, ...others].filter(({ facts, sayings }) => facts.length + sayings.length > 0)
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
    portraits: portraitsOf(subjects, yield* sayings.of(partition, now)),
  }
}
