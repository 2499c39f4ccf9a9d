import { type Conversation, isAnswerable } from '../talk/conversation.ts'
import { terms } from './talks.ts'

/** A turn that a question rests on; one entry for each such question. */
export interface Evidence {
  /** The place of its session. */
  readonly session: number
  /** Its content words, without its speaker's name. */
  readonly terms: ReadonlySet<string>
}

const leastShare = 0.5

/**
 * Returns the evidence turns of a conversation's questions of categories 1–4. A turn without a content word cannot be
 * covered, and is left out.
 */
export function evidenceOf({ sessions, questions }: Conversation): Evidence[] {
  return questions
    .filter(isAnswerable)
    .flatMap(({ evidence }) => evidence)
    .flatMap((id) =>
      sessions.flatMap(({ turns }, session) =>
        turns
          .filter((turn) => turn.id === id)
          .map(({ role, speaker = role, text }) => {
            const names = new Set(terms(speaker))
            return { session, terms: new Set(terms(text).filter((term) => !names.has(term))) }
          }),
      ),
    )
    .filter((evidence) => evidence.terms.size > 0)
}

/** The survival of an evidence turn: 1 where at least half of its content words are in the text, or in one line of it; else 0. */
export interface Survival {
  readonly anywhere: number
  readonly inOneLine: number
}

export function survivors(evidence: readonly Evidence[], textOf: (session: number) => string): Survival[] {
  const known = new Map<string, readonly ReadonlySet<string>[]>()
  return evidence.map(({ session, terms: wanted }) => {
    const text = textOf(session)
    const lines = known.get(text) ?? text.split('\n').map((line) => new Set(termsOf(line)))
    known.set(text, lines)
    const half = (isHeld: (term: string) => boolean): boolean => [...wanted].filter(isHeld).length / wanted.size >= leastShare
    return {
      anywhere: Number(half((term) => lines.some((line) => line.has(term)))),
      inOneLine: Number(lines.some((line) => half((term) => line.has(term)))),
    }
  })
}

// Sentence by sentence: only the first words of a question are read.
function termsOf(line: string): string[] {
  return line.split(/(?<=[.!?;]) /u).flatMap(terms)
}
