import type { BudgetedTier } from './tiers.ts'

/** The parts of a context, in the order in which they are rendered. */
export type Tier = 'persona' | BudgetedTier

/** One thing in a context, and why it is there. */
export interface ContextItem {
  readonly id: string
  readonly reason: string
  readonly tokens: number
}

export interface ContextSection {
  readonly tier: Tier
  readonly text: string
  readonly tokens: number
  readonly items: readonly ContextItem[]
}

/** What was left out, and why; `id` when it is a single thing. */
export interface Omission {
  readonly tier: Tier
  readonly id?: string
  readonly count: number
  readonly reason: string
}

/** What the model will read. `tokens` is the exact count of `text`, and never over the budget. */
export interface Context {
  readonly id: string
  readonly text: string
  readonly tokens: number
  readonly sections: readonly ContextSection[]
  readonly omitted: readonly Omission[]
  readonly degraded: readonly string[]
}
