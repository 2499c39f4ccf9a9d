import { shorterConversation } from './shorter-conversation.ts'
import type { RemoteError } from './remote-error.ts'
import { randomHex } from './random-hex.ts'

type Fields = Readonly<Record<string, unknown>>
type Open = (reason: string, fields: Fields) => unknown

const noHits =
  (operation: string): Open =>
  (reason) => ({ hits: [], degraded: [`${operation} failed: ${reason}`] })

/** Answers of calls that must not break or hold up the agent that makes them, when the server gives none. */
const answers: Readonly<Record<string, Open>> = {
  recall: noHits('recall'),
  'gists.recall': noHits('recall'),
  'bank.search': noHits('recall'),
  'facts.recall': noHits('facts'),
  'documents.recollect': () => [],
  context: (reason) => ({ id: randomHex(), text: '', tokens: 0, sections: [], omitted: [], degraded: [`context failed: ${reason}`] }),
  compact: (_reason, { messages, maxTokens }) => shorterConversation(messages, Number(maxTokens)),
}

export function failsOpen(operation: string): boolean {
  return Object.hasOwn(answers, operation)
}

/** Gives the answer of a call that the server did not answer. */
export function openAnswer(operation: string, { message }: RemoteError, fields: Fields): unknown {
  return answers[operation]?.(message, fields)
}
