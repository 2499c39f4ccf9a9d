import { readFileSync } from 'node:fs'
import { readLocomoTime } from '../../packages/varve/src/importers/formats/locomo.ts'
import { stop } from '../shared/arguments.ts'

export interface Turn {
  readonly id: string
  readonly speaker: string
  readonly text: string
}

export interface TalkSession {
  readonly id: string
  /** The session's date as written, in UTC milliseconds; undefined when it has none. */
  readonly begin: number | undefined
  readonly turns: readonly Turn[]
}

export interface LocomoQuestion {
  readonly text: string
  readonly category: number
  /** Ids of turns of the conversation, each once, at least one. */
  readonly evidence: readonly string[]
}

export interface Conversation {
  /** Its place in the file, from 0. */
  readonly place: number
  readonly sessions: readonly TalkSession[]
  readonly questions: readonly LocomoQuestion[]
  /** The number of questions that name no turn of the conversation: nothing can be found for them. */
  readonly withoutEvidence: number
}

type Json = Readonly<Record<string, unknown>>

export function readLocomoFile(path: string): Conversation[] {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    stop(`--data: ${error instanceof Error ? error.message : String(error)}`)
  }
  const conversations = list(read).map(readConversation)
  if (conversations.every(({ questions }) => questions.length === 0))
    stop(`--data: ${path} is not the LoCoMo file: it has no conversation with questions`)
  return conversations
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
    category: Number(category),
    evidence: evidenceOf(evidence).filter((id) => turns.has(id)),
  }))
  const questions = all.filter((question) => question.evidence.length > 0)
  return { place, sessions, questions, withoutEvidence: all.length - questions.length }
}

function readSession(number: number, talk: Json): TalkSession {
  const turns = list(talk[`session_${number}`]).map(({ dia_id, speaker, text }) => ({
    id: String(dia_id),
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

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : []
}

function record(value: unknown): Json {
  // The value comes from JSON.parse; each field is converted where it is read.
  return value !== null && typeof value === 'object' ? (value as Json) : {}
}
