import { roughTokens } from './rough-tokens.ts'

/**
 * Cuts a conversation when the server does not answer: keeps the system's messages at its head and the newest ones that fit by a
 * rough estimate. What is kept begins with a message of the user, so that no result of a tool stands without its call; the
 * messages since the last one of the user always stay.
 */
export function shorterConversation(messages: unknown, maxTokens: number): readonly unknown[] {
  if (!Array.isArray(messages)) return []
  const { length } = messages
  let room = maxTokens
  let head = 0
  while (head < length && /^(?:system|developer)$/.test(Object(messages[head]).role)) {
    room -= roughTokens(messages[head])
    head += 1
  }
  let from = length
  for (let at = length - 1; at >= head; at -= 1) {
    room -= roughTokens(messages[at])
    if (room < 0 && from < length) break
    if (isTurn(messages[at])) from = at
  }
  return [...messages.slice(0, head), ...messages.slice(from < length ? from : head)]
}

/** Tells whether a message is a person's. Results of tools come as a user's in some shapes. */
function isTurn(message: unknown): boolean {
  const { role, content }: Readonly<Record<string, unknown>> = Object(message)
  return role === 'user' && !(Array.isArray(content) && content.some((part) => /tool_/.test(Object(part).type)))
}
