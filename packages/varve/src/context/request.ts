import type { RecallRequest } from '../recall/request.ts'
import type { SessionName } from '../scope/partition.ts'
import { type BudgetedTier, perTier, tiers as usual } from './tiers.ts'

/** A tier's share of the budget (0 to 1) and its most items. What a tier leaves over, the others use. */
export interface TierOptions {
  readonly share?: number | undefined
  readonly limit?: number | undefined
}

/** A tier's share and limit, both known. */
interface FullTier {
  readonly share: number
  readonly limit: number
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
  readonly tiers: Readonly<Record<BudgetedTier, FullTier>>
  readonly recall: RecallRequest
}

/** Options of a context that were checked. */
interface CheckedOptions extends Pick<ContextRequest, 'session' | 'maxTokens' | 'persona'> {
  readonly tiers: { readonly [Name in BudgetedTier]?: TierOptions | undefined } | undefined
  readonly search: RecallRequest
}

export function contextRequest(id: string, { tiers: given = {}, search, ...options }: CheckedOptions): ContextRequest {
  const tiers = perTier((name) => ({ share: given[name]?.share ?? usual[name].share, limit: given[name]?.limit ?? usual[name].limit }))
  return { id, ...options, tiers, recall: { ...search, limit: Math.max(1, tiers.details.limit) } }
}
