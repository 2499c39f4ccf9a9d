import type { Conversation } from '../talk/conversation.ts'

/** The most sessions of a conversation. Each gets a place of its own. */
const mostSessions = 1_000

/** Cuts conversations into their sessions, each with the questions that it alone answers: small partitions. */
export function cutIntoSessions(conversations: readonly Conversation[]): Conversation[] {
  return conversations.flatMap(({ place, sessions, questions }) =>
    sessions.map((session, number): Conversation => {
      const turns = new Set(session.turns.map(({ id }) => id))
      return {
        place: (place + 1) * mostSessions + number,
        sessions: [session],
        questions: questions.filter(({ evidence }) => evidence.every((id) => turns.has(id))),
        withoutEvidence: [],
      }
    }),
  )
}
