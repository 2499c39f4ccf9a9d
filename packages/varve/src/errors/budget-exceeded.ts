import { VarveError } from './varve-error.ts'

/** The request would take more tokens than it may. Nothing was changed. */
export class BudgetExceeded extends VarveError {
  readonly code = 'BUDGET_EXCEEDED'
  readonly what: string
  /** The tokens needed and the tokens allowed. */
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
