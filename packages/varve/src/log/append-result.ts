import type { Appended } from '../storage/log/messages.ts'

/** The result of an append. */
export interface AppendResult {
  /** One entry a message, in the order in which they were given. */
  readonly messages: readonly Appended[]
  /** External ids that the session already had; those messages were not stored again. */
  readonly duplicates: readonly string[]
}
