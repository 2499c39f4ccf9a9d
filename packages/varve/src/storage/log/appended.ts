import type { MessageId } from '../../messages/message.ts'

/** The result of one stored message of an append. */
export interface Appended {
  readonly id: MessageId
  readonly seq: number
  readonly externalId?: string
  /** True when the session already had a message with this external id; then `id` and `seq` are that one's. */
  readonly duplicate: boolean
}
