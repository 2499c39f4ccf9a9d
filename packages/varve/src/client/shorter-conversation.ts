import { roughTokens } from './rough-tokens.ts'

/**
 * Cuts a conversation when the server does not answer: keeps the system's messages at its head and the newest ones that fit by a
 * rough estimate. What is kept begins with a message of the user, so that no result of a tool stands without its call; the
 * messages since the last one of the user always stay.
 */
export function shorterConversation(messages: unknown, maxTokens: number): readonly unknown[] {
  if (!Array.isArray(messages)) return []
  const firstOther = messages.findIndex((message) => !isOf(message, ['system', 'developer']))
  const head = messages.slice(0, firstOther < 0 ? messages.length : firstOther)
  const rest = messages.slice(head.length)
  let room = maxTokens - sum(head)
  let from = rest.length
  for (let at = rest.length - 1; at >= 0; at -= 1) {
    room -= sum(rest.slice(at, at + 1))
    const isLast = from === rest.length
    if (room < 0 && !isLast) break
    if (isTurn(rest[at])) from = at
  }
  return [...head, ...rest.slice(from === rest.length ? 0 : from)]
}

function sum(messages: readonly unknown[]): number {
  return messages.reduce((tokens: number, message) => tokens + roughTokens(message), 0)
}

function isOf(message: unknown, roles: readonly string[]): boolean {
  return roles.includes(String(Reflect.get(Object(message), 'role')))
}

/** Tells whether a message is a person's. Results of tools come as a user's in some shapes. */
function isTurn(message: unknown): boolean {
  const content: unknown = Reflect.get(Object(message), 'content')
  return (
    isOf(message, ['user']) && !(Array.isArray(content) && content.some((part) => /tool_/.test(String(Reflect.get(Object(part), 'type')))))
  )
}
