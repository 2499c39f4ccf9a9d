import { readLocomoTime } from '../../packages/varve/src/importers/formats/locomo.ts'
import type { Conversation, TalkSession } from './conversation.ts'
import { type Json, list, record } from './json.ts'

/** LoCoMo's names of its categories. */
const categories = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial']

/** Reads LoCoMo's conversations: two people with names, and questions about them. */
export function readLocomo(samples: readonly Json[]): Conversation[] {
  return samples.map(readConversation)
}

function readConversation(sample: Json, place: number): Conversation {
  const talk = record(sample['conversation'])
  const sessions = Object.keys(talk)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .map((number) => readSession(number, talk))
  const turns = new Set(sessions.flatMap((session) => session.turns.map(({ id }) => id)))
  const all = list(sample['qa']).map(({ question, category, evidence }) => ({
    text: String(question),
    category: categories[Number(category)] ?? String(category),
    evidence: evidenceOf(evidence).filter((id) => turns.has(id)),
  }))
  const questions = all.filter((question) => question.evidence.length > 0)
  return { place, sessions, questions, withoutEvidence: all.filter((question) => question.evidence.length === 0) }
}

function readSession(number: number, talk: Json): TalkSession {
  const turns = list(talk[`session_${number}`]).map(({ dia_id, speaker, text }) => ({
    id: String(dia_id),
    role: 'user' as const,
    speaker: String(speaker),
    text: String(text),
  }))
  return { id: `session_${number}`, begin: readLocomoTime(String(talk[`session_${number}_date_time`])), turns }
}

/** Reads turn ids in all their spellings: `D1:2; D3:4` and `D1:2 D3:4` are two, `D:1:2` is D1:2, `D1:02` is D1:2, `D` is none. */
function evidenceOf(evidence: unknown): string[] {
  const written = Array.isArray(evidence) ? evidence.map(String).join(' ') : ''
  const ids = [...written.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`)
  return [...new Set(ids)]
}
