import type { MessageInput } from '../messages/message.ts'
import { isFields } from './outside-json.ts'

/** The most characters of a text, or of a tool's input or output, that are stored. */
export const maxSaidCharacters = 262_144

export type SaidPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly mediaType?: string; readonly filename?: string }
  | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly toolCallId: string; readonly toolName: string; readonly output: ToolOutput }

export interface ToolOutput {
  readonly type: 'text' | 'json'
  readonly value: unknown
}

/** A message of a request or a reply, in one form for all formats. Pictures and files are named, and their bytes left out. */
export interface Utterance {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly parts: readonly SaidPart[]
}

/** Gives the words of a message: its texts. */
export function saidWords({ parts }: Utterance): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

export function saysWords(said: Utterance): boolean {
  return said.parts.some((part) => part.type === 'text' && part.text.trim() !== '')
}

/**
 * Gives a short text that is the same for a reply and for the message by which a client sends it again: its words
 * without their blanks, or the id of its first tool call.
 */
export function recognisedBy(said: Utterance): string {
  const words = saidWords(said).replaceAll(/\s+/g, '')
  if (words !== '') return words
  const call = said.parts.find((part) => part.type === 'tool-call')
  return call?.type === 'tool-call' ? call.toolCallId : ''
}

/** Puts a reply behind the begin that the request had written for it. */
export function continued(begun: Utterance | undefined, reply: Utterance): Utterance {
  const parts = begun?.parts ?? []
  const last = parts.at(-1)
  const [first, ...rest] = reply.parts
  if (last?.type !== 'text' || first?.type !== 'text') return { ...reply, parts: [...parts, ...reply.parts] }
  return { ...reply, parts: [...parts.slice(0, -1), { type: 'text', text: last.text + first.text }, ...rest] }
}

/** Gives a message as `append` takes it, or undefined when it holds nothing. */
export function messageToStore(said: Utterance, id: string): MessageInput | undefined {
  const parts = said.parts.filter((part) => part.type !== 'text' || part.text !== '').map(storable)
  if (parts.length === 0) return undefined
  return { id, role: said.role, content: parts.every((part) => part.type === 'text') ? saidWords({ ...said, parts }) : parts }
}

function storable(part: SaidPart): SaidPart {
  if (part.type === 'text') return { ...part, text: storableText(part.text) }
  if (part.type === 'tool-call') return { ...named(part), input: storableValue(part.input) }
  if (part.type === 'tool-result') return { ...named(part), output: { type: part.output.type, value: storableValue(part.output.value) } }
  return {
    type: 'file',
    ...(part.mediaType === undefined ? {} : { mediaType: storableText(part.mediaType) }),
    ...(part.filename === undefined ? {} : { filename: storableText(part.filename) }),
  }
}

function named<Part extends { readonly toolCallId: string; readonly toolName: string }>(part: Part): Part {
  return { ...part, toolCallId: storableText(part.toolCallId), toolName: storableText(part.toolName) }
}

/** Replaces characters that no store takes, and cuts a text that is over the bound. */
function storableText(text: string): string {
  const cut = text.length > maxSaidCharacters ? `${text.slice(0, maxSaidCharacters)} […]` : text
  return cut.toWellFormed().replaceAll('\0', '\uFFFD')
}

function storableValue(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null'
  return json.length > maxSaidCharacters ? storableText(json) : repaired(value)
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(repaired)
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [storableText(key), repaired(field)]))
}
