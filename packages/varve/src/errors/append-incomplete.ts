import { VarveError } from './varve-error.ts'

/** A part of a long batch failed: the messages before that part are stored. */
export class AppendIncomplete extends VarveError {
  readonly code = 'APPEND_INCOMPLETE'
  /** The number of messages of the batch that are stored, from its beginning. */
  readonly stored: number
  readonly messages: number
  /** The message of the part's error, and its code, if it has one. */
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

  /** Without ids, the same call would store the first messages twice. */
  get isRetryable(): boolean {
    return false
  }
}
