import type { SessionTable } from '../storage/schema.ts'
import { estimateTokenCount } from 'tokenx'
import { without } from '../index/analyse.ts'
import type { Message } from '../messages/message.ts'
import { withoutFences } from '../messages/fence.ts'
import type { SourceMessage } from '../models/writer.ts'
import { messagesBetween } from '../storage/log/messages.ts'
import type { Program } from '../storage/program.ts'
import { vectorsBetween } from '../storage/segment/vectors.ts'
import { spokenText } from './spoken.ts'

/** The most characters of one message that a writer reads, in any window: some 4,000 tokens. The begin and the end tell most. */
const mostCharacters = 16_000

/**
 * Reads a run of messages for a writer. Leaves out the host's instructions to its model, and everything that Varve
 * itself had put there.
 */
export function* spanOf(
  session: Pick<SessionTable, 'id' | 'partition_id' | 'external_id'>,
  from: number,
  to: number,
  maxTokens: number,
): Program<readonly SourceMessage[]> {
  const messages = yield* messagesBetween(session, from, to)
  return messages.flatMap((message) => sourceOf({ ...message, content: spokenText(message) }, maxTokens) ?? [])
}

/** Reads the same with the messages' vectors, where there are some: they help to find the central messages. */
export function* spanWithVectors(
  session: Pick<SessionTable, 'id' | 'partition_id' | 'external_id'>,
  from: number,
  to: number,
  maxTokens: number,
): Program<readonly SourceMessage[]> {
  const vectors = yield* vectorsBetween(session.partition_id, session.id, from, to)
  return (yield* spanOf(session, from, to, maxTokens)).map((message) => {
    const vector = vectors.get(message.seq)
    return vector === undefined ? message : { ...message, vector: float32s(vector) }
  })
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
