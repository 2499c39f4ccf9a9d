import { maxQueryLength } from '../index/query.ts'
import type { Metadata } from '../messages/message.ts'
import type { HitKind } from './hit.ts'
import type { SessionName } from '../scope/partition.ts'

/** A checked request, with times in UTC milliseconds; serialisable. */
export interface RecallRequest {
  /** The begin of the question: patterns run out of stack on one of millions of letters. */
  readonly query: string
  readonly kinds: readonly HitKind[]
  readonly limit: number
  readonly session: SessionName | undefined
  readonly excludeSession: SessionName | undefined
  /** Of the session that is left out, only the messages said from this time on are. Default: all. */
  readonly excludeSince?: number | undefined
  readonly from: number
  readonly to: number
  readonly metadata: Metadata | undefined
  readonly minScore: number
  /** Undefined: by default only an answer that is almost surely nothing is left out (confidence.ts). */
  readonly minConfidence: number | undefined
  readonly halfLifeDays: number | undefined
  readonly neighbours: number
  readonly now: number
}

/** A checked search: the question, and the fields that differ from their defaults. */
export type CheckedSearch = Pick<RecallRequest, 'query'> & { readonly [Name in keyof RecallRequest]?: RecallRequest[Name] | undefined }

/** Makes a request from a search, with the default of each missing field. */
export function recallRequest(search: CheckedSearch, now: number): RecallRequest {
  return {
    query: search.query.slice(0, maxQueryLength),
    kinds: search.kinds ?? ['message'],
    limit: search.limit ?? 10,
    session: search.session,
    excludeSession: search.excludeSession,
    excludeSince: search.excludeSince,
    from: search.from ?? Number.NEGATIVE_INFINITY,
    to: search.to ?? Number.POSITIVE_INFINITY,
    metadata: search.metadata,
    minScore: search.minScore ?? 0,
    minConfidence: search.minConfidence,
    halfLifeDays: search.halfLifeDays,
    neighbours: search.neighbours ?? 0,
    now,
  }
}

/** Tells whether a message is left out with its session. */
export function isLeftOut(
  { session, at }: { readonly session: string; readonly at: number },
  { excludeSession, excludeSince = Number.NEGATIVE_INFINITY }: Pick<RecallRequest, 'excludeSession' | 'excludeSince'>,
): boolean {
  return session === excludeSession && at >= excludeSince
}
