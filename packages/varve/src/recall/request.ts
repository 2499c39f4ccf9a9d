import { InvalidOption } from '../errors/invalid-option.ts'
import type { Metadata } from '../messages/message.ts'
import { shown } from '../scope/name.ts'
import { type HitKind, hitKinds } from './hit.ts'
import { inRange, refuseUnknown, timeOption } from '../scope/options.ts'
import { sessionName, type SessionName } from '../scope/partition.ts'

export interface RecallOptions {
  /** How many hits at most, 1 to 1,000. Default 10. */
  readonly limit?: number
  /** Kinds of memory to search. Default: messages, word for word as they were said. */
  readonly kinds?: readonly HitKind[]
  readonly session?: string
  readonly excludeSession?: string
  /** Said at or after, and at or before: Date, ISO 8601 with offset (or a bare UTC day), or UTC milliseconds. */
  readonly from?: Date | string | number
  readonly to?: Date | string | number
  /** Only messages whose metadata has all of these values. */
  readonly metadata?: Metadata
  /** Hits below this score (0 to 1) are left out. Default 0: everything that matches. */
  readonly minScore?: number
  /** A hit that was said this many days ago has half of its score. Default: age does not count. */
  readonly halfLifeDays?: number
  /** Messages before and after each hit, 0 to 20. They never count as hits. Default 0. */
  readonly neighbours?: number
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

const dayMs = 86_400_000
const bareDay = /^\d{4}-\d{2}-\d{2}$/

const known: ReadonlySet<string> = new Set([
  'limit',
  'kinds',
  'session',
  'excludeSession',
  'from',
  'to',
  'metadata',
  'minScore',
  'halfLifeDays',
  'neighbours',
  'signal',
  'deadlineMs',
])

export function recallRequest(query: unknown, options: RecallOptions, now: number): RecallRequest {
  refuseUnknown(options, known)
  if (typeof query !== 'string') throw new InvalidOption({ option: 'query', received: shown(query), expected: 'a string' })
  return {
    query,
    kinds: kindsOf(options.kinds),
    limit: inRange('limit', options.limit ?? 10, 1, 1000, true),
    session: options.session === undefined ? undefined : sessionName(options.session),
    excludeSession: options.excludeSession === undefined ? undefined : sessionName(options.excludeSession),
    from: options.from === undefined ? Number.NEGATIVE_INFINITY : timeOption('from', options.from),
    // A bare day means all of it.
    to: options.to === undefined ? Number.POSITIVE_INFINITY : timeOption('to', options.to) + (isBareDay(options.to) ? dayMs - 1 : 0),
    metadata: metadataFilter(options.metadata),
    minScore: inRange('minScore', options.minScore ?? 0, 0, 1, false),
    halfLifeDays: options.halfLifeDays === undefined ? undefined : inRange('halfLifeDays', options.halfLifeDays, 0.001, 100_000, false),
    neighbours: inRange('neighbours', options.neighbours ?? 0, 0, 20, true),
    now,
  }
}

function kindsOf(received: unknown): readonly HitKind[] {
  if (received === undefined) return ['message']
  const isList = Array.isArray(received) && received.length > 0 && received.every((kind) => hitKinds.some((known) => known === kind))
  if (!isList) throw new InvalidOption({ option: 'kinds', received: shown(received), expected: `a list of: ${hitKinds.join(', ')}` })
  return hitKinds.filter((kind) => received.includes(kind))
}

function isBareDay(received: unknown): boolean {
  return typeof received === 'string' && bareDay.test(received)
}

function metadataFilter(received: unknown): Metadata | undefined {
  if (received === undefined) return undefined
  if (received === null || typeof received !== 'object' || Array.isArray(received)) {
    throw new InvalidOption({ option: 'metadata', received: shown(received), expected: 'an object of values to be equal to' })
  }
  for (const value of Object.values(received)) {
    const comparable = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    if (!comparable)
      throw new InvalidOption({
        option: 'metadata',
        received: shown(received),
        expected: 'flat: each value a string, finite number, boolean or null',
      })
  }
  return received as Metadata
}
