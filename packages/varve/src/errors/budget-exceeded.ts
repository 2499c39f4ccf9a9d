import { VarveError } from './varve-error.ts'

/** What was asked for would take more tokens than it may. Nothing was changed. */
export class BudgetExceeded extends VarveError {
  readonly code = 'BUDGET_EXCEEDED'
  readonly what: string
  /** What it would take, and what it may. */
  readonly tokens: number
  readonly maxTokens: number

  constructor(facts: { what: string; tokens: number; maxTokens: number }, options?: ErrorOptions) {
    super(
      `${facts.what} would take ${facts.tokens} tokens, and may take ${facts.maxTokens}. Take something out, shorten it, or ` +
        'raise the budget.',
      options,
    )
    this.what = facts.what
    this.tokens = facts.tokens
    this.maxTokens = facts.maxTokens
  }

  get isRetryable(): boolean {
    return false
  }
}
