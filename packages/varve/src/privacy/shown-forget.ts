import { createHash } from 'node:crypto'
import { StaleRevision } from '../errors/stale-revision.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import type { ShownUpTo } from '../storage/erase/meant.ts'
import { selectMessages } from '../storage/erase/selected.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { ForgetLine } from './forget-lines.ts'
import { previewOf } from './preview.ts'

/** What a forget would erase, as it is shown. */
export interface ForgetPreview {
  readonly counts: Readonly<Record<string, number>>
  /** The newest messages of it. */
  readonly lines: readonly ForgetLine[]
  /** The number of things of which no line tells, by kind. */
  readonly more: Readonly<Record<string, number>>
  /** A hash of everything that would go: another one says that something changed. */
  readonly state: string
}

export const mostLines = 5
export const longestLine = 120

/** Shows what a selection would erase. Nothing is erased. */
export function* forgetPreview(partition: PartitionId, selection: ForgetSelection): Program<ForgetPreview> {
  const counts = yield* previewOf(partition, selection)
  const owner = yield* findPartition(partition)
  if (owner === undefined) return { counts, lines: [], more: {}, state: stateOf([]) }
  const { doomed } = yield* selectMessages(owner, selection)
  const newest = doomed.map(({ ord }) => ord).toSorted((one, other) => other - one)
  const stored = yield* messagesAt(owner.id, newest.slice(0, mostLines))
  const lines = newest
    .flatMap((ord) => stored.get(ord) ?? [])
    .map(({ message: { content, at, name, role, session } }) => ({ text: beginning(content), at, by: name ?? role, session }))
  // Contexts are left out: each showing of a memory adds one.
  const { context: _, ...erased } = counts
  return {
    counts,
    lines,
    more: without(counts, 'message', lines.length),
    state: stateOf([owner.epoch, erased, doomed.map(({ uuid }) => uuidText(uuid)).toSorted(), lines]),
  }
}

/**
 * Checks that a selection would erase exactly what was shown, and tells up to which message that was: later ones stay. With
 * `all` everything goes, later messages too.
 */
export function* stillAsShown(partition: PartitionId, selection: ForgetSelection, state: string): Program<ShownUpTo | undefined> {
  const standing = (yield* forgetPreview(partition, selection)).state
  if (standing !== state) throw new StaleRevision({ page: 'what would be forgotten', expected: state, standing })
  const owner = selection.all === true ? undefined : yield* findPartition(partition)
  return owner && { owner: owner.id, ord: owner.seq }
}

export function beginning(text: string): string {
  return text.length <= longestLine
    ? text
    : `${text
        .slice(0, longestLine - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}

/** Takes some things of a kind off the counts; kinds with none left are not named. */
function without(counts: Readonly<Record<string, number>>, kind: string, some: number): Readonly<Record<string, number>> {
  const left = Object.entries(counts).map(([name, count]): [string, number] => [name, name === kind ? count - some : count])
  return Object.fromEntries(left.filter(([, count]) => count > 0))
}

function stateOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
