import { createHash } from 'node:crypto'
import type { MessageInput, Origin } from '../../messages/message.ts'
import { messageToStore, saidWords, type Utterance } from '../../turns/said.ts'
import { saidInPrompt } from '../ai-sdk/said-in-prompt.ts'
import type { EveMessage, EveOperation, EveTurn } from './eve-shapes.ts'

/** Gives the words by which a turn asks. */
export function wordsOfTurn(messages: readonly EveMessage[]): string {
  return persons(messages).map(saidWords).join('\n\n')
}

/**
 * Gives what was said in a turn, with ids that are the same when it is captured again, also of a part of it. The history
 * before it is left out: it may be of another scope. What eve itself put in is no person's.
 */
export function messagesOfTurn({ session, messages }: Pick<EveOperation, 'session' | 'messages'>, turn: EveTurn): MessageInput[] {
  const input = turn.input.map((message) => JSON.stringify(message.content))
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && input.includes(JSON.stringify(content)))
  const from = asked === -1 ? messages.findLastIndex(({ role }) => role === 'user') : asked
  const replies = messages.slice(from + 1).flatMap((message) => (message.role === 'user' ? [] : (saidIn(message) ?? [])))
  const seen = new Map<string, number>()
  return [...persons(turn.input), ...replies].flatMap((said) => {
    const words = JSON.stringify(said)
    const time = (seen.get(words) ?? 0) + 1
    seen.set(words, time)
    const digest = createHash('sha256')
      .update(JSON.stringify([session.id, turn.id, words, time]))
      .digest('base64url')
    const message = messageToStore(said, `eve-${digest}`)
    return message === undefined ? [] : [said.role === 'user' ? { ...message, origin: originIn(session) } : message]
  })
}

function persons(messages: readonly EveMessage[]): Utterance[] {
  return messages.flatMap((message) => (message.role === 'user' && (message.kind ?? 'user') === 'user' ? (saidIn(message) ?? []) : []))
}

/** A subagent is asked by an agent, and a schedule by nobody: neither speaks for a person. */
function originIn({ parent, schedule }: EveOperation['session']): Origin {
  if (parent !== undefined) return 'assistant'
  return schedule === undefined ? 'person' : 'system'
}

function saidIn({ role, content }: EveMessage): Utterance | undefined {
  return typeof content === 'string' || Array.isArray(content) ? saidInPrompt({ role, content }) : undefined
}
