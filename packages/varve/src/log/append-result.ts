import type { SkippedMessage } from '../messages/validate.ts'
import type { Appended } from '../storage/log/appended.ts'

/** The result of an append. */
export interface AppendResult {
  /** One entry a message, in the order in which they were given. Those in `skipped` and `forgotten` have none. */
  readonly messages: readonly Appended[]
  /** External ids that the session already had; those messages were not stored again. */
  readonly duplicates: readonly string[]
  /** Messages in which an assistant said nothing, by their place among those given. Nothing of them is stored. */
  readonly skipped: readonly SkippedMessage[]
  /** External ids whose messages were forgotten in this session; they were not stored again. Absent when there are none. */
  readonly forgotten?: readonly string[]
  /**
   * The places, among the messages given, of those that were forgotten since the first append with this idempotency key.
   * Absent when there are none.
   */
  readonly forgottenSince?: readonly number[]
}
