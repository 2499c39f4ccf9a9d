import type { BankNode } from './bank-node.ts'
import { entryText, flat } from './render.ts'
import type { CountTokens } from './token-counts.ts'

/** The part of a bank's budget that pinned entries may take together. */
export const pinnedShare = 0.5

/** The tokens of all pinned entries together, and their bound. */
export interface PinnedTokens {
  readonly fits: boolean
  readonly tokens: number
  readonly maxTokens: number
}

/**
 * Tells whether nodes can all be pinned: as entries with all of their bullets, without headings, in at most half of the
 * budget.
 */
export function pinsFit(nodes: readonly BankNode[], budget: { readonly maxTokens: number; readonly count: CountTokens }): PinnedTokens {
  const texts = nodes.map((node) => entryText({ ...node, bullets: node.bullets.map(flat).filter((text) => text !== ''), pinned: true }))
  const maxTokens = Math.floor(budget.maxTokens * pinnedShare)
  const tokens = texts.length === 0 ? 0 : budget.count(texts.join('').trimEnd())
  return { fits: tokens <= maxTokens, tokens, maxTokens }
}
