import { VarveError } from './varve-error.ts'

/** The session has no message yet that notes could be made from. */
export class EmptySession extends VarveError {
  readonly code = 'EMPTY_SESSION'
  readonly session: string

  constructor(facts: { session: string }, options?: ErrorOptions) {
    super(`the session ${JSON.stringify(facts.session)} has no message in its main line: append the conversation first.`, options)
    this.session = facts.session
  }

  get isRetryable(): boolean {
    return false
  }
}
