/** Options that every call takes. */
export interface CallOptions {
  /** Aborting rejects the call with Cancelled. A write that was already sent may still be stored. */
  readonly signal?: AbortSignal | undefined
  /** The call rejects with DeadlineExceeded after this many milliseconds; recall and context answer with nothing instead. */
  readonly deadlineMs?: number | undefined
}
