import { anonymousMember, memberOwner } from './member-label.ts'
import { recordsAt } from './read-bank.ts'
import { partitionId, type ProjectName } from '../scope/partition.ts'
import { itemsToClear } from '../storage/bank/bank-edits.ts'
import { sharingOf } from '../storage/bank/sharing.ts'
import { sharingMembers } from '../storage/bank/sharing-members.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { findDerived, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { Sharing } from '../projects/settings.ts'
import type { BankRecord } from './bank-entry.ts'

/** What one member shares of their conversations. */
export interface SharingMember {
  /** The user, `~` for the anonymous user. */
  readonly user: string
  /** False when the member keeps out every session without a setting of its own. */
  readonly shares: boolean
  /** The begin of the earliest session that feeds the bank: UTC milliseconds. Absent when none does. */
  readonly since?: number
  /** Sessions that feed the bank, and conversations in it that rest on their words. */
  readonly sessions: number
  readonly entries: number
  /** Sessions that the member keeps out one by one; what they had fed was withdrawn. */
  readonly keptOut: number
  /** Sessions whose entries somebody took out of the bank by hand: they do not come back by themselves. */
  readonly withdrawn: number
}

/** Who shares in a project. */
export interface SharingReport extends Omit<Sharing, 'version'> {
  /** At most 1,000, the anonymous user first, then by name. */
  readonly members: readonly SharingMember[]
  /** With `member`: the entries that rest on this member's words, digests too; at most the newest 1,000, in the order of storing. */
  readonly entries?: readonly BankRecord[]
}

/** The most members, and the most entries of one member, in one answer. */
const most = 1_000

/** Tells who shares in a project and since when; of one member also the entries that rest on their words. */
export function* readSharing(project: ProjectName, member: string | undefined): Program<Omit<SharingReport, 'notice'>> {
  const state = yield* sharingOf(project)
  const shared = yield* findDerived(partitionId(project, { kind: 'shared' }))
  const rows = yield* sharingMembers({ project, shared, user: member === anonymousMember ? '' : member }, most)
  const members = rows.map(({ name, share, since, ...counts }): SharingMember => {
    const from = since === null ? {} : { since }
    return { user: name === '' ? anonymousMember : name, shares: share === 1, ...from, ...counts }
  })
  if (member === undefined) return { ...state, members }
  const source = yield* findPartition(partitionId(project, memberOwner(member)))
  if (shared === undefined || source === undefined) return { ...state, members, entries: [] }
  const items = yield* itemsToClear({ entries: shared, source: undefined, project: shared.project_id }, source.id)
  const ords = items.flatMap(({ kind, ord }) => (kind === itemKinds.bank ? [ord] : []))
  const newest = ords.toSorted((one, other) => other - one).slice(0, most)
  const entries = (yield* recordsAt(shared.id, newest, true)).toSorted((one, other) => one.ord - other.ord)
  return { ...state, members, entries: entries.map(({ record }) => record) }
}
