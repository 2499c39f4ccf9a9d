import { createHash } from 'node:crypto'
import type { BaseMessage } from 'langchain'
import type { MessageInput } from '../../messages/message.ts'
import { fieldOf, isFields, listField, textField } from '../../turns/outside-json.ts'
import { isOwnTool } from '../../turns/own-tools.ts'
import { messageToStore, type SaidPart, type Utterance } from '../../turns/said.ts'

const roles: ReadonlyMap<string, Utterance['role']> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
] as const)

/** Tells whether a message is a person's. */
export function isHuman({ type }: BaseMessage): boolean {
  return type === 'human'
}

/** Reads a message. Undefined for one that is not talk, such as the system's. */
export function saidInMessage(message: BaseMessage): Utterance | undefined {
  const role = roles.get(message.type)
  if (role === undefined) return undefined
  if (role === 'tool') return { role, parts: resultOf(message) }
  const calls = role === 'assistant' ? listField(message, 'tool_calls').flatMap(callOf) : []
  return { role, parts: [...wordsIn(message.content), ...calls] }
}

/**
 * Makes a text that tells a turn from others: of all that was said before it and the question, so that a turn which comes again is
 * the same one. Where nothing was said before, it is the id that the agent gave to the question: “yes” may be said twice.
 */
export function turnSeed(messages: readonly BaseMessage[], from: number): string {
  if (from === 0) return messages[0]?.id ?? ''
  const digest = createHash('sha256')
  for (const message of messages.slice(0, from + 1)) digest.update(JSON.stringify([message.type, saidInMessage(message)?.parts ?? null]))
  return digest.digest('hex')
}

/** Makes the messages to store of a turn: what a person said, and all that came of it. */
export function turnMessages(messages: readonly BaseMessage[], from: number, seed: string): MessageInput[] {
  return messages.slice(from).flatMap((message, at) => {
    const said = saidInMessage(message)
    if (said === undefined) return []
    // A tool's answer may be shortened by another middleware later in the turn.
    const told = said.role === 'tool' ? textField(message, 'tool_call_id') : [at, said.parts]
    const id = createHash('sha256').update(JSON.stringify([seed, said.role, told]))
    const stored = messageToStore(said, `langchain:${id.digest('hex').slice(0, 32)}`)
    return stored === undefined ? [] : [named(stored, message)]
  })
}

/** Gives the place where the newest turn begins: the last messages of persons. -1 when there is none. */
export function turnStart(messages: readonly BaseMessage[]): number {
  const last = messages.findLastIndex(isHuman)
  return last === -1 ? -1 : 1 + messages.slice(0, last).findLastIndex((message) => !isHuman(message))
}

function named(stored: MessageInput, { type, name }: BaseMessage): MessageInput {
  const isName = type === 'human' && name !== undefined && name !== '' && !name.includes('\0') && name.isWellFormed()
  return isName && Buffer.byteLength(name) <= 512 ? { ...stored, name } : stored
}

function wordsIn(content: unknown): SaidPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.flatMap(partOf) : []
}

function partOf(block: unknown): SaidPart[] {
  if (typeof block === 'string') return [{ type: 'text', text: block }]
  const type = textField(block, 'type')
  const text = textField(block, 'text')
  if (type === 'text' && text !== undefined) return [{ type, text }]
  if (type === undefined || !/^(?:image|image_url|input_image|file|audio|input_audio|video)$/.test(type)) return []
  const mediaType = textField(block, 'mimeType') ?? textField(block, 'mime_type') ?? type.replace(/^input_|_url$/g, '')
  return [{ type: 'file', mediaType }]
}

function callOf(call: unknown): SaidPart[] {
  const [toolCallId = '', toolName = 'tool'] = [textField(call, 'id'), textField(call, 'name')]
  return isOwnTool(toolName) ? [] : [{ type: 'tool-call', toolCallId, toolName, input: fieldOf(call, 'args') }]
}

function resultOf(message: BaseMessage): SaidPart[] {
  const toolName = message.name ?? 'tool'
  if (isOwnTool(toolName)) return []
  const { content } = message
  const value =
    typeof content === 'string' ? content : content.every((block) => isFields(block) && block['type'] === 'text') ? message.text : content
  return [
    {
      type: 'tool-result',
      toolCallId: textField(message, 'tool_call_id') ?? '',
      toolName,
      output: typeof value === 'string' ? { type: 'text', value } : { type: 'json', value },
    },
  ]
}
