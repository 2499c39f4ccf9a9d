/** The parts of Mastra's types that the processors use. They fit `@mastra/core` 1.x, which is not imported. */

/** A message of Mastra's, in the form in which it stores one. */
export interface MastraMessage {
  readonly id: string
  readonly role: string
  readonly content: { readonly parts: readonly unknown[]; readonly content?: unknown }
}

/** A run's messages. */
export interface MastraMessageList {
  readonly get: { readonly [Source in 'all' | 'input' | 'response']: { db(): readonly MastraMessage[] } }
  serialize(): { readonly memoryInfo: { readonly threadId: string; readonly resourceId?: string } | null }
}

/** What the host knows of a request. */
export interface MastraRequestContext {
  get(key: string): unknown
}

/** A message of the prompt, in the AI SDK's form for providers. */
export interface MastraPromptMessage {
  readonly role: string
  readonly content: unknown
}
