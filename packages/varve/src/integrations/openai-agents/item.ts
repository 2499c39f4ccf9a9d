import type { Message, MessageInput, Metadata } from '../../messages/message.ts'
import { isAgentCall, isAgentResult } from '../../messages/agent-items.ts'
import { textOfParts } from '../../messages/parts.ts'
import { isOwnTool } from '../../turns/own-tools.ts'
import { fromPlain, isExactJson, toPlain } from '../exact-value.ts'
import { searchable } from '../stored-messages.ts'

type Fields = Readonly<Record<string, unknown>>

/** The type of a part that holds an item in another form: one that is not JSON, or of an unknown kind. */
const wrapped = 'agents-item'

/** Items beside the talk: thoughts, and marks of the host. */
const silent: ReadonlySet<string> = new Set(['reasoning', 'compaction', 'unknown'])

/** Makes the message that an item is kept as: its words to be found, and the item itself as the part. */
export function messageOfItem(item: object, mark?: Metadata): MessageInput {
  const { name }: Fields = Object(item)
  // What Varve's own tools say is remembered already: it is kept for the agent, and not found.
  const content = typeof name === 'string' && isOwnTool(name) ? `[${name}]` : searchable(itemWords(item)) || '[nothing]'
  const part = isItem(item) && isExactJson(item) ? item : { type: wrapped, value: toPlain(item) }
  return { ...speakerOf(item), content, parts: [part], ...(mark === undefined ? {} : { metadata: mark }) }
}

/**
 * Gives the item of a message. A message that was not stored by an agent's session, or whose words were replaced since, is
 * an item of its words. Undefined for one that no agent can read: a tool's or the system's, without an item.
 */
export function itemOfMessage({ role, content, parts }: Message): unknown {
  const [part, ...others] = parts ?? []
  if (others.length === 0 && part !== null && typeof part === 'object') {
    const { type, value }: Fields = Object(part)
    if (type === wrapped) return fromPlain(value)
    if (isItem(part)) return part
  }
  if (role === 'user') return { type: 'message', role, content }
  if (role === 'assistant') return { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text: content }] }
  return undefined
}

/** Gives the words of an item as they are found by recall. */
export function itemWords(item: object): string {
  const { type, role, content }: Fields = Object(item)
  if (typeof role !== 'string') return textOfParts([item])
  if (typeof content === 'string') return content
  const pieces = Array.isArray(content) ? content.map(pieceOf).filter((piece) => piece !== '') : []
  return pieces.length === 0 ? `[${typeof type === 'string' ? type : 'message'}]` : pieces.join('\n\n')
}

/** Tells whether an item is the result of a tool. */
export function isResult(item: object): boolean {
  const { type }: Fields = Object(item)
  return typeof type === 'string' && isAgentResult(type)
}

/** Tells whether an item is a person's message. */
export function isPersons(item: object): boolean {
  return Object(item).role === 'user'
}

function pieceOf(part: unknown): string {
  const { type, text, refusal, transcript, filename }: Fields = Object(part)
  const words = [text, refusal, transcript].find((piece) => typeof piece === 'string')
  if (typeof words === 'string') return words
  return `[${[type, filename].filter((one) => typeof one === 'string').join(' ')}]`
}

function speakerOf(item: object): Pick<MessageInput, 'role' | 'origin'> {
  const { type, role }: Fields = Object(item)
  if (role === 'user' || role === 'assistant' || role === 'system') return { role }
  // It is called and answered by the provider: the answer’s words are not the assistant’s.
  if (type === 'hosted_tool_call') return { role: 'assistant', origin: 'tool' }
  return { role: typeof type === 'string' && isAgentCall(type) ? 'assistant' : 'tool' }
}

/** Tells whether a part is an item as it is, and not a part of another format. */
function isItem(part: object): boolean {
  const { type, role, content }: Fields = Object(part)
  if (role === 'user' || role === 'assistant' || role === 'system') return type === undefined || type === 'message'
  if (typeof type !== 'string') return false
  if (type === 'reasoning') return Array.isArray(content)
  return silent.has(type) || isAgentCall(type) || isAgentResult(type)
}
