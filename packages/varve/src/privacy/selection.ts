/** What to forget: any of session, before and messages (together they narrow), or all. */
export interface ForgetInput {
  readonly session?: string
  /** Said strictly before this time: Date, ISO 8601 with offset (or a bare UTC day), or UTC milliseconds. */
  readonly before?: Date | string | number
  /** Ids of messages. */
  readonly messages?: readonly string[]
  /** Everything of this partition: messages, sessions, and its name. */
  readonly all?: boolean
}
