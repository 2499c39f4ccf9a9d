import { shown } from '../errors/shown.ts'
import { invalidOption } from './remote-error.ts'
import { roughTokens } from './rough-tokens.ts'

/** Messages of a longer conversation that are looked at: those at even distances. */
const mostMessages = 1_000

/** Tells at once whether a conversation takes `at` of a model's window, by a rough estimate. */
export function shouldCompact(messages: unknown, options: unknown): boolean {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw invalidOption('options', shown(options), 'an object')
  const { window, at = 0.8 }: Readonly<Record<string, unknown>> = { ...options }
  if (!Array.isArray(messages)) throw invalidOption('messages', shown(messages), 'a list of messages')
  if (typeof window !== 'number' || !(window >= 1)) throw invalidOption('window', shown(window), 'a whole number of 1 or more')
  if (typeof at !== 'number' || !(at > 0 && at <= 1)) throw invalidOption('at', shown(at), 'a number above 0, at most 1')
  const step = Math.max(1, Math.ceil(messages.length / mostMessages))
  const tokens = messages.reduce(
    (sum: number, message: unknown, place) => (place % step === 0 ? sum + step * roughTokens(message) : sum),
    0,
  )
  return tokens >= at * window
}
