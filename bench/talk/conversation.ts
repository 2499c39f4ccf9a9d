export interface Turn {
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** Undefined for a user and an assistant without names. */
  readonly speaker?: string
  readonly text: string
}

export interface TalkSession {
  readonly id: string
  /** The session's date as written, in UTC milliseconds; undefined when it has none. */
  readonly begin: number | undefined
  readonly turns: readonly Turn[]
}

export interface TalkQuestion {
  readonly text: string
  readonly category: string
  /** Ids of turns of the conversation, each once. Empty when no turn answers. */
  readonly evidence: readonly string[]
}

export interface Conversation {
  /** Its place in the file, from 0. */
  readonly place: number
  readonly sessions: readonly TalkSession[]
  /** Questions that a turn answers. */
  readonly questions: readonly TalkQuestion[]
  /** Questions that name no turn of the conversation: nothing can be found for them. */
  readonly withoutEvidence: readonly TalkQuestion[]
}

/** Questions of these categories ask about things that were never said. No target counts them. */
const unanswerable: ReadonlySet<string> = new Set(['adversarial', 'abstention'])

export function isAnswerable({ category }: Pick<TalkQuestion, 'category'>): boolean {
  return !unanswerable.has(category)
}
