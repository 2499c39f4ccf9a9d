import { stop } from '../shared/arguments.ts'
import type { Conversation, TalkQuestion, TalkSession } from './conversation.ts'
import { type Json, list } from './json.ts'

/**
 * Reads chats of a user and an assistant, each with `messages: [{ id, session, at, role, content }]` and `questions: [{
 * question, category, evidence }]`.
 */
export function readBeam(chats: readonly Json[]): Conversation[] {
  return chats.map(readChat)
}

function readChat({ messages, questions }: Json, place: number): Conversation {
  const sessions = Map.groupBy(list(messages), ({ session }) => String(session))
  const ids = new Set(list(messages).map(({ id }) => String(id)))
  const asked = list(questions).map(({ question, category, evidence }): TalkQuestion => {
    const named = Array.isArray(evidence) ? evidence.map(String) : []
    return { text: String(question), category: String(category), evidence: [...new Set(named)].filter((id) => ids.has(id)) }
  })
  return {
    place,
    sessions: [...sessions].map(([id, said]) => readSession(id, said)),
    questions: asked.filter(({ evidence }) => evidence.length > 0),
    withoutEvidence: asked.filter(({ evidence }) => evidence.length === 0),
  }
}

function readSession(id: string, said: readonly Json[]): TalkSession {
  const begin = Date.parse(String(said[0]?.['at']))
  return {
    id,
    begin: Number.isFinite(begin) ? begin : undefined,
    turns: said.map(({ id: turn, role, content }) => ({ id: String(turn), role: roleOf(role), text: String(content) })),
  }
}

function roleOf(role: unknown): 'user' | 'assistant' {
  return role === 'user' || role === 'assistant' ? role : stop(`--data: a role is neither user nor assistant: ${String(role)}`)
}
