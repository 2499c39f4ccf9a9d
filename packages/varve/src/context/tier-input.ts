import type { Profiles } from '../facts/profiles.ts'
import type { Segments } from '../index/segments.ts'
import type { AskedVector } from '../recall/asked-vector.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { ContextRequest } from './request.ts'

/**
 * Whether the newest conversations open a context. `asked`: the question names no matter. `begun`: a conversation begins,
 * and no message answers its first question.
 */
export type ContextOpening = 'asked' | 'begun' | 'no'

/** The input of every tier: the partition and the request. */
export interface TierInput {
  readonly segments: Segments
  readonly partition: PartitionId
  readonly request: ContextRequest
  readonly asked: AskedVector | undefined
  readonly profiles: Profiles
  readonly opening: ContextOpening
  /** The ids of messages that other tiers show. */
  readonly shown: ReadonlySet<string>
}
