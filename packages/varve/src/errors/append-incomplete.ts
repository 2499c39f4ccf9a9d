import { VarveError } from './varve-error.ts'

/** A long batch is stored in parts, and one of them failed: the messages before it are stored. */
export class AppendIncomplete extends VarveError {
  readonly code = 'APPEND_INCOMPLETE'
  /** How many of the batch are stored, from its beginning. */
  readonly stored: number
  readonly messages: number
  /** What the part ended with, and its code, if it has one. */
  readonly reason: string
  readonly reasonCode: string | undefined

  constructor(facts: { stored: number; messages: number; reason: string; reasonCode: string | undefined }, options?: ErrorOptions) {
    super(
      `the first ${facts.stored} of ${facts.messages} messages are stored, the others are not: ${facts.reason}. Append the ` +
        'rest; messages with ids may all be appended again.',
      options,
    )
    this.stored = facts.stored
    this.messages = facts.messages
    this.reason = facts.reason
    this.reasonCode = facts.reasonCode
  }

  /** The same call would store the first ones twice, unless they have ids. */
  get isRetryable(): boolean {
    return false
  }
}
