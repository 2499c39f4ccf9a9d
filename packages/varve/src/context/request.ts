import { InvalidOption } from '../errors/invalid-option.ts'
import { inRange, type RecallRequest, recallRequest, refuseUnknown } from '../recall/request.ts'
import { shown } from '../scope/name.ts'
import { type SessionName, sessionName } from '../scope/partition.ts'

/** A tier's share of the budget (0 to 1) and its most items. What a tier leaves over, the others use. */
export interface TierOptions {
  readonly share?: number
  readonly limit?: number
}

export interface ContextOptions {
  /** The running session: its newest turns are shown, and what is rendered is remembered, so that its echo is known. */
  readonly session?: string
  /** The new message, or the question to remember for. */
  readonly query: string
  /** Exact tokens (o200k_base), headings and fence included; 1 to 1,000,000. Default 4,000. */
  readonly maxTokens?: number
  /** The agent's own text, put first and outside the fence. */
  readonly persona?: string
  /** Default: recent { share: .5, limit: 10 }, details { share: .5, limit: 150 }. */
  readonly tiers?: { readonly recent?: TierOptions; readonly details?: TierOptions }
}

export interface ContextRequest {
  readonly id: string
  readonly session: SessionName | undefined
  readonly maxTokens: number
  readonly persona: string | undefined
  readonly recent: Required<TierOptions>
  readonly details: Required<TierOptions>
  readonly recall: RecallRequest
}

const known: ReadonlySet<string> = new Set(['session', 'query', 'maxTokens', 'persona', 'tiers', 'signal', 'deadlineMs'])
const knownTiers: ReadonlySet<string> = new Set(['recent', 'details'])

export function contextRequest(id: string, options: ContextOptions, now: number): ContextRequest {
  refuseUnknown(options, known)
  refuseUnknown(options.tiers ?? {}, knownTiers)
  if (options.persona !== undefined && typeof options.persona !== 'string') {
    throw new InvalidOption({ option: 'persona', received: shown(options.persona), expected: 'a string' })
  }
  const details = tier('details', options.tiers?.details, { share: 0.5, limit: 150 })
  return {
    id,
    session: options.session === undefined ? undefined : sessionName(options.session),
    maxTokens: inRange('maxTokens', options.maxTokens ?? 4000, 1, 1_000_000, true),
    persona: options.persona,
    recent: tier('recent', options.tiers?.recent, { share: 0.5, limit: 10 }),
    details,
    recall: recallRequest(options.query, { limit: Math.max(1, details.limit) }, now),
  }
}

function tier(name: string, options: TierOptions | undefined, defaults: Required<TierOptions>): Required<TierOptions> {
  return {
    share: inRange(`tiers.${name}.share`, options?.share ?? defaults.share, 0, 1, false),
    limit: inRange(`tiers.${name}.limit`, options?.limit ?? defaults.limit, 0, 1000, true),
  }
}
