import type { Metadata } from '../messages/message.ts'
import type { HitKind } from './hit.ts'
import type { SessionName } from '../scope/partition.ts'

export interface RecallOptions {
  /** How many hits at most, 1 to 1,000. Default 10. */
  readonly limit?: number | undefined
  /** Kinds of memory to search. Default: messages, word for word as they were said. */
  readonly kinds?: readonly HitKind[] | undefined
  readonly session?: string | undefined
  readonly excludeSession?: string | undefined
  /** Said at or after, and at or before: Date, ISO 8601 with offset (or a bare UTC day), or UTC milliseconds. */
  readonly from?: Date | string | number | undefined
  readonly to?: Date | string | number | undefined
  /** Only messages whose metadata has all of these values. */
  readonly metadata?: Metadata | undefined
  /** Hits below this score (0 to 1) are left out. Default 0: everything that matches. */
  readonly minScore?: number | undefined
  /** A hit that was said this many days ago has half of its score. Default: age does not count. */
  readonly halfLifeDays?: number | undefined
  /** Messages before and after each hit, 0 to 20. They never count as hits. Default 0. */
  readonly neighbours?: number | undefined
}

/** Checked, with times in UTC milliseconds; serialisable. */
export interface RecallRequest {
  readonly query: string
  readonly kinds: readonly HitKind[]
  readonly limit: number
  readonly session: SessionName | undefined
  readonly excludeSession: SessionName | undefined
  readonly from: number
  readonly to: number
  readonly metadata: Metadata | undefined
  readonly minScore: number
  readonly halfLifeDays: number | undefined
  readonly neighbours: number
  readonly now: number
}

/** A search that was checked: the question, and the fields that are not as usual. */
export type CheckedSearch = Pick<RecallRequest, 'query'> & { readonly [Name in keyof RecallRequest]?: RecallRequest[Name] | undefined }

/** The request of a search, with the usual value of each field that it lacks. */
export function recallRequest(search: CheckedSearch, now: number): RecallRequest {
  return {
    query: search.query,
    kinds: search.kinds ?? ['message'],
    limit: search.limit ?? 10,
    session: search.session,
    excludeSession: search.excludeSession,
    from: search.from ?? Number.NEGATIVE_INFINITY,
    to: search.to ?? Number.POSITIVE_INFINITY,
    metadata: search.metadata,
    minScore: search.minScore ?? 0,
    halfLifeDays: search.halfLifeDays,
    neighbours: search.neighbours ?? 0,
    now,
  }
}
