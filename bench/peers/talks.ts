import { isAnswerable } from '../talk/conversation.ts'
import { turnKey, userOf } from '../talk/fill.ts'
import { readTalkFileOf } from '../talk/talk-file.ts'
import type { PeerTurn } from './system.ts'

export interface Talk {
  readonly place: number
  readonly partition: string
  readonly turns: readonly PeerTurn[]
  readonly questions: readonly { readonly text: string; readonly category: string; readonly evidence: readonly string[] }[]
}

const betweenTurnsMs = 1_000
/** The date of a session without one: LoCoMo's talk is of that year. */
const undated = Date.UTC(2023, 0, 1)

/** Reads LoCoMo's conversations, a partition each, with questions of categories 1–4. */
export function readTalks(path: string): Talk[] {
  return readTalkFileOf('locomo', path).map(({ place, sessions, questions }) => ({
    place,
    partition: userOf(place, 'each'),
    turns: sessions.flatMap((session) =>
      session.turns.map((turn, index) => ({
        id: turnKey(place, turn),
        session: session.id,
        speaker: turn.speaker ?? turn.role,
        text: turn.text,
        at: (session.begin ?? undated) + index * betweenTurnsMs,
      })),
    ),
    questions: questions
      .filter(isAnswerable)
      .map(({ text, category, evidence }) => ({ text, category, evidence: evidence.map((id) => turnKey(place, { id })) })),
  }))
}
