import type { SessionTable } from '../storage/schema.ts'
import { estimateTokenCount } from 'tokenx'
import { without } from '../index/analyse.ts'
import type { Message } from '../messages/message.ts'
import { withoutFences } from '../messages/fence.ts'
import type { SourceMessage } from '../models/writer.ts'
import { messagesBetween } from '../storage/log/messages.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import { wantedOfSession } from '../storage/derived/reading.ts'
import { abreast, answer, type Program } from '../storage/program.ts'
import { vectorsBetween } from '../storage/segment/vectors.ts'
import { spokenText } from './spoken.ts'

/** The most characters of one message that a writer reads, in any window: some 4,000 tokens. The begin and the end tell most. */
const mostCharacters = 16_000

/** A run of messages of a session, and what a writer of layers needs to know beside it. */
export interface SpanMaterial {
  /** The messages as they are stored. */
  readonly stored: readonly Message[]
  /** The messages as writers read them. */
  readonly messages: readonly SourceMessage[]
  /** The language of the session (ISO 639-1; '' for unknown). */
  readonly language: string
  /** The session's owner, and the settings of its project. A session that is gone has no message either. */
  readonly owner: string
  readonly settings: string
  /** Since then the project shares the assistant's answers: UTC milliseconds. Null where it does not. */
  readonly answersSince: number | null
}

/**
 * Reads a run of messages for a writer, in one step. Leaves out the host's instructions to its model, and everything that
 * Varve itself had put there. With vectors, those that stand come along: they help to find the central messages.
 */
export function* spanMaterial(
  session: Pick<SessionTable, 'id' | 'partition_id' | 'external_id'>,
  { from, to }: { readonly from: number; readonly to: number },
  maxTokens: number,
  withVectors: boolean,
): Program<SpanMaterial> {
  const { id, partition_id: partition } = session
  const [stored, row, wanted, vectors] = yield* abreast([
    messagesBetween(session, from, to),
    sessionRowById(partition, id),
    wantedOfSession(partition, id, 0),
    withVectors ? vectorsBetween(partition, id, from, to) : answer<ReadonlyMap<number, Uint8Array>>(new Map()),
  ])
  const messages = stored.flatMap((message): SourceMessage[] => {
    const source = sourceOf({ ...message, content: spokenText(message) }, maxTokens)
    const vector = vectors.get(message.seq)
    if (source === undefined) return []
    return [vector === undefined ? source : { ...source, vector: float32s(vector) }]
  })
  const { owner = '', settings = '{}', answersSince = null } = wanted ?? {}
  return { stored, messages, language: row?.language ?? '', owner, settings, answersSince }
}

/** Reads 32-bit numbers, least significant byte first. */
function float32s(stored: Uint8Array): Float32Array {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  return Float32Array.from({ length: stored.byteLength / 4 }, (_, at) => view.getFloat32(at * 4, true))
}

/** Makes a source from a message. Undefined when no writer may read it, or nothing of it is left. */
export function sourceOf(message: Message, maxTokens: number): SourceMessage | undefined {
  if (message.role === 'system' || message.origin === 'system') return undefined
  const text = cut(withoutFences(without(message.content, message.recalled ?? []).join(' ')).trim(), maxTokens)
  if (text === '') return undefined
  const { seq, role, origin, name, at } = message
  return { seq, role, origin, ...(name === undefined ? {} : { name }), at, text }
}

/** Cuts a text that is too long to its begin and its end. */
function cut(text: string, maxTokens: number): string {
  const most = Math.min(mostCharacters, charactersIn(text, maxTokens))
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half)} […] ${text.slice(-half)}`.toWellFormed()
}

/** Gives the number of characters that hold some tokens, by the density of the first ones. */
function charactersIn(text: string, tokens: number): number {
  const sample = text.slice(0, 4_000)
  return Math.floor((sample.length / Math.max(1, estimateTokenCount(sample))) * tokens)
}
