import { InvalidOption } from '../errors/invalid-option.ts'
import { type RecallRequest, recallRequest } from '../recall/request.ts'
import { shown } from '../scope/name.ts'
import { inRange, refuseUnknown } from '../scope/options.ts'
import { type SessionName, sessionName } from '../scope/partition.ts'
import { type BudgetedTier, budgetedTiers, perTier, tiers as usual } from './tiers.ts'

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
  /**
   * Default: blocks { share: .1, limit: 100 }, profile { share: .1, limit: 50 }, bank { share: .1 }, gists { share:
   * .1, limit: 3 }, documents { share: .1, limit: 5 }, notes { share: .1, limit: 40 }, details { share: .4, limit:
   * 150 }, recent { share: .4, limit: 10 }. Shares are weighed against each other. Where it comes to less than 100
   * tokens, gists are left out, and of the profile only what answers the question has room of its own (40 tokens).
   * Documents are passages that answer, notes are sections of the running session's. A limit of 0 leaves a tier out;
   * of the bank it is the most tokens.
   */
  readonly tiers?: { readonly [Name in BudgetedTier]?: TierOptions }
}

export interface ContextRequest {
  readonly id: string
  readonly session: SessionName | undefined
  readonly maxTokens: number
  readonly persona: string | undefined
  readonly tiers: Readonly<Record<BudgetedTier, Required<TierOptions>>>
  readonly recall: RecallRequest
}

const known: ReadonlySet<string> = new Set(['session', 'query', 'maxTokens', 'persona', 'tiers', 'signal', 'deadlineMs'])
const knownTiers: ReadonlySet<string> = new Set(budgetedTiers)

export function contextRequest(id: string, options: ContextOptions, now: number): ContextRequest {
  refuseUnknown(options, known)
  refuseUnknown(options.tiers ?? {}, knownTiers)
  if (options.persona !== undefined && typeof options.persona !== 'string') {
    throw new InvalidOption({ option: 'persona', received: shown(options.persona), expected: 'a string' })
  }
  const tiers = perTier((name) => tierRequest(name, options.tiers?.[name]))
  return {
    id,
    session: options.session === undefined ? undefined : sessionName(options.session),
    maxTokens: inRange('maxTokens', options.maxTokens ?? 4000, 1, 1_000_000, true),
    persona: options.persona,
    tiers,
    recall: recallRequest(options.query, { limit: Math.max(1, tiers.details.limit) }, now),
  }
}

function tierRequest(name: BudgetedTier, options: TierOptions | undefined): Required<TierOptions> {
  const { share, limit, most } = usual[name]
  return {
    share: inRange(`tiers.${name}.share`, options?.share ?? share, 0, 1, false),
    limit: inRange(`tiers.${name}.limit`, options?.limit ?? limit, 0, most, true),
  }
}
