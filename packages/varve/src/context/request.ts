import type { RecallRequest } from '../recall/request.ts'
import type { SessionName } from '../scope/partition.ts'
import { type BudgetedTier, perTier, tiers as usual } from './tiers.ts'

/** A tier's share and limit, both known. */
interface FullTier {
  readonly share: number
  readonly limit: number
}

export interface ContextRequest {
  readonly id: string
  readonly session: SessionName | undefined
  readonly maxTokens: number
  readonly persona: string | undefined
  /** True: tokens are estimated, so that no table is loaded. */
  readonly estimated: boolean
  readonly tiers: Readonly<Record<BudgetedTier, FullTier>>
  readonly recall: RecallRequest
}

/** Options of a context that were checked. */
interface CheckedOptions extends Pick<ContextRequest, 'session' | 'maxTokens' | 'persona' | 'estimated'> {
  readonly tiers: { readonly [Name in BudgetedTier]?: { readonly [Name in keyof FullTier]?: number | undefined } | undefined } | undefined
  readonly search: RecallRequest
}

export function contextRequest(id: string, { tiers: given = {}, search, ...options }: CheckedOptions): ContextRequest {
  const tiers = perTier((name) => ({ share: given[name]?.share ?? usual[name].share, limit: given[name]?.limit ?? usual[name].limit }))
  return { id, ...options, tiers, recall: { ...search, limit: Math.max(1, tiers.details.limit) } }
}
