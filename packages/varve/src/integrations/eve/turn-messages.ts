import { createHash } from 'node:crypto'
import type { MessageInput, Origin } from '../../messages/message.ts'
import { messageToStore, saidWords, type Utterance } from '../../turns/said.ts'
import type { EndedTurn } from '../../turns/turn-door.ts'
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
export function messagesOfTurn({ session, messages }: Pick<EveOperation, 'session' | 'messages'>, turn: EveTurn): Omit<EndedTurn, 'name'> {
  const input = turn.input.map((message) => JSON.stringify(message.content))
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && input.includes(JSON.stringify(content)))
  const from = asked === -1 ? messages.findLastIndex(({ role }) => role === 'user') : asked
  const replies = messages.slice(from + 1)
  const tools = replies.findLastIndex(({ role }) => role === 'tool') + 1
  const seen = new Map<string, number>()
  const stored = (said: readonly Utterance[]): MessageInput[] =>
    said.flatMap((one) => {
      const words = JSON.stringify(one)
      const time = (seen.get(words) ?? 0) + 1
      seen.set(words, time)
      const digest = createHash('sha256')
        .update(JSON.stringify([session.id, turn.id, words, time]))
        .digest('base64url')
      const message = messageToStore(one, `eve-${digest}`)
      return message === undefined ? [] : [one.role === 'user' ? { ...message, origin: originIn(session) } : message]
    })
  return {
    asked: stored(persons(turn.input)),
    beforeTools: tools === 0 ? undefined : stored(answers(replies.slice(0, tools))),
    last: stored(answers(replies.slice(tools))),
  }
}

function answers(messages: readonly EveMessage[]): Utterance[] {
  return messages.flatMap((message) => (message.role === 'user' ? [] : (saidIn(message) ?? [])))
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
