import { VarveError } from './varve-error.ts'

/** The thread of a call died. Acknowledged writes are stored; a write of this call may be stored or not. */
export class EngineInterrupted extends VarveError {
  readonly code = 'ENGINE_INTERRUPTED'
  readonly thread: string
  readonly reason: string

  constructor(facts: { thread: string; reason: string }, options?: ErrorOptions) {
    super(
      `the thread that ${facts.thread} ended during the call (${facts.reason}); it is started anew. Call again: a message with ` +
        'an id is stored once.',
      options,
    )
    this.thread = facts.thread
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return true
  }
}
