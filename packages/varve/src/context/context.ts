import type { BudgetedTier } from './tiers.ts'

/** The parts of a context, in the order in which they are rendered. */
export type Tier = 'persona' | BudgetedTier

/** One item of a context, with the reason why it is there. */
export interface ContextItem {
  readonly id: string
  readonly reason: string
  readonly tokens: number
}

/** A tier as it is rendered. `tokens` is the exact count of its `text`. */
export interface ContextSection {
  readonly tier: Tier
  readonly text: string
  readonly tokens: number
  readonly items: readonly ContextItem[]
}

/** An omission from a context, with its reason. `id` names it when it is a single item. */
export interface Omission {
  readonly tier: Tier
  readonly id?: string
  readonly count: number
  readonly reason: string
}

/**
 * The text that the model will read, with its parts. `tokens` is the exact count of `text` (o200k_base), and never over
 * the budget.
 */
export interface Context {
  readonly id: string
  readonly text: string
  readonly tokens: number
  readonly sections: readonly ContextSection[]
  readonly omitted: readonly Omission[]
  /** As of recall, for the details: messages that are not among the recent turns. Absent when no messages were searched. */
  readonly confidence?: number
  /** Reasons why the context is less than its best; empty when it is not. */
  readonly degraded: readonly string[]
}
