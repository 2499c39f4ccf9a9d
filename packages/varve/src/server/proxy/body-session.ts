import { isFields, readJson, textField } from '../../turns/outside-json.ts'

/** Names under which hosts put a conversation's id into OpenAI's `metadata`. */
const metadataNames = ['session_id', 'conversation_id', 'thread_id', 'chat_id'] as const

/**
 * Gives the conversation that OpenAI's metadata names. `user` and `safety_identifier` name a person, `prompt_cache_key`
 * a cache that all of a program's conversations may share: none of them is a session.
 */
export function sessionInMetadata(metadata: unknown): string | undefined {
  for (const name of metadataNames) {
    const session = textField(metadata, name)
    if (session !== undefined) return session
  }
  return undefined
}

/** Gives the conversation within Anthropic's `metadata.user_id`, where an agent puts it: `…_session_<id>`, or JSON with `session_id`. */
export function sessionInUserId(userId: unknown): string | undefined {
  if (typeof userId !== 'string') return undefined
  const [, session] = /_session_([\w-]{8,})$/.exec(userId) ?? []
  if (session !== undefined) return session
  const fields = userId.startsWith('{') ? readJson(userId) : undefined
  return isFields(fields) ? textField(fields, 'session_id') : undefined
}
