import { givenObject } from './call-fields.ts'
import { invalidOption } from './remote-error.ts'
import { roughTokens } from './rough-tokens.ts'

/** Messages of a longer conversation that are looked at: those at even distances. */
const mostMessages = 1_000

/** Tells at once whether a conversation takes `at` of a model's window, by a rough estimate. */
export function shouldCompact(messages: unknown, options: unknown): boolean {
  const { window, at = 0.8 } = givenObject('options', options)
  if (!Array.isArray(messages)) throw invalidOption('messages', messages, 'a list of messages')
  if (typeof window !== 'number' || !(window >= 1)) throw invalidOption('window', window, 'a number of 1 or more')
  if (typeof at !== 'number' || !(at > 0 && at <= 1)) throw invalidOption('at', at, 'a number above 0, at most 1')
  const step = Math.max(1, Math.ceil(messages.length / mostMessages))
  let tokens = 0
  for (let place = 0; place < messages.length; place += step) tokens += step * roughTokens(messages[place])
  return tokens >= at * window
}
