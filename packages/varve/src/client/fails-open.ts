import { randomText } from './random-text.ts'
import { shorterConversation } from './shorter-conversation.ts'

type Fields = Readonly<Record<string, unknown>>
type Open = (reason: string, fields: Fields) => unknown

const noHits =
  (operation: string): Open =>
  (reason) => ({ hits: [], degraded: [`${operation} failed: ${reason}`] })
const noRecall = noHits('recall')

/** Answers of calls that must not break or hold up the agent that makes them, when the server gives none. */
export const openAnswers: Readonly<Record<string, Open>> = {
  recall: noRecall,
  'gists.recall': noRecall,
  'bank.search': noRecall,
  'facts.recall': noHits('facts'),
  'documents.recollect': () => [],
  context: (reason) => ({ id: randomText(), text: '', tokens: 0, sections: [], omitted: [], degraded: [`context failed: ${reason}`] }),
  compact: (_reason, { messages, maxTokens }) => shorterConversation(messages, Number(maxTokens)),
}
