import type { PartitionId } from '../../scope/partition.ts'
import type { ShownContext, ShownItem } from '../../storage/log/past-contexts.ts'
import type { PartitionRow } from '../../storage/partitions.ts'
import { shownLineHash } from '../shown-record.ts'

/** A past context that is made again: its record, and the store as it is now. */
export interface PastInput {
  readonly partition: PartitionId
  readonly owner: PartitionRow
  /** The store's secret. */
  readonly key: string
  /** The time of the context, and the present time. */
  readonly at: number
  readonly now: number
  readonly timeZone: string
  readonly shown: ShownContext
}

/**
 * The state of an item since: `shown` has its words as they were, `changed` has other words now, `gone` is no longer
 * there.
 */
export type PastState = 'shown' | 'changed' | 'gone'

/** A line, and the heading above it. */
export interface Form {
  readonly line: string
  readonly heading?: string | undefined
}

/** An item of a past context, made again. A gone one has no line. */
export interface Remade extends Partial<Form> {
  readonly item: ShownItem
  readonly state: PastState
  /** The time at which the store got it: UTC milliseconds. */
  readonly recordedAt?: number
  /** The time at which it ended, of a fact or an instruction. */
  readonly endedAt?: number
}

/** The longest line of an item whose shown part is not known any more, in UTF-16 code units. */
const mostPresent = 2_000

/** What is known of an item's source now. */
interface Source {
  /** The lines that it may have had. */
  readonly forms: readonly Form[]
  /** Its line now. Default: the last of the forms. */
  readonly present?: Form | undefined
  readonly recordedAt?: number | undefined
  readonly endedAt?: number | undefined
}

/** Chooses the line that an item had, by its hash. Without one, it shows the item as it is now. */
export function remade({ key }: Pick<PastInput, 'key'>, item: ShownItem, source: Source | undefined): Remade {
  const present = source?.present ?? source?.forms.at(-1)
  if (source === undefined || present === undefined) return { item, state: 'gone' }
  const { forms, recordedAt, endedAt } = source
  const times = { ...(recordedAt === undefined ? {} : { recordedAt }), ...(endedAt === undefined ? {} : { endedAt }) }
  const same = item.hash === undefined ? undefined : forms.find((form) => shownLineHash(key, form) === item.hash)
  if (same !== undefined) return { item, state: 'shown', ...same, ...times }
  const { line, heading } = present
  const cut =
    line.length <= mostPresent
      ? line
      : `${line
          .slice(0, mostPresent)
          .toWellFormed()
          .replace(/\uFFFD$/, '')} […]`
  return { item, state: 'changed', line: cut, heading, ...times }
}

/** Lists the ids of items that are not gone. */
export function pastIds(items: readonly ShownItem[]): readonly string[] {
  return items.flatMap(({ id }) => id ?? [])
}
