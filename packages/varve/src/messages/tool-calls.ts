import { isAgentCall } from './agent-items.ts'
import type { Message } from './message.ts'

/** Parts by which an assistant calls a tool, as the AI SDK and Anthropic's wire format name them. */
const calling: ReadonlySet<string> = new Set(['tool-call', 'tool_use', 'dynamic-tool'])
/** Parts of an AI SDK message whose types look like a UIMessage's calls (`tool-weather`) and are none. */
const notCalling: ReadonlySet<string> = new Set(['tool-result', 'tool-error', 'tool-approval-request', 'tool-approval-response'])

/**
 * Counts the tools that a message calls: an assistant's calling parts. A tool's message without parts counts one, since
 * a host that keeps no parts tells of a call by it. Results count nothing: their calls have been counted.
 *
 * @example callsIn({ role: 'assistant', parts: [{ type: 'tool-call', toolName: 'read' }] }) // 1
 */
export function callsIn({ role, parts }: Pick<Message, 'role' | 'parts'>): number {
  if (role === 'tool') return parts === undefined || parts.length === 0 ? 1 : 0
  return role === 'assistant' ? (parts ?? []).filter(isCall).length : 0
}

/** Tells whether a message belongs to the conversation itself, and not to a subagent's. */
export function isMain({ thread }: Pick<Message, 'thread'>): boolean {
  return thread === undefined
}

/** The addition of a message to its session's main line. */
export interface MainLine {
  readonly tokens: number
  readonly calls: number
  /** True when the assistant pauses with it; undefined when the message does not tell. */
  readonly isPause: boolean | undefined
}

/**
 * Gives the addition of a message to the main line. A subagent's message adds nothing. A tool's message that tells of a
 * call counts as the assistant's.
 */
export function mainLineOf(message: Pick<Message, 'role' | 'parts' | 'thread' | 'tokens'>): MainLine {
  if (!isMain(message)) return { tokens: 0, calls: 0, isPause: undefined }
  const calls = callsIn(message)
  return { tokens: message.tokens, calls, isPause: message.role === 'assistant' || calls > 0 ? calls === 0 : undefined }
}

function isCall(part: unknown): boolean {
  if (part === null || typeof part !== 'object' || !('type' in part) || typeof part.type !== 'string') return false
  return calling.has(part.type) || isAgentCall(part.type) || (part.type.startsWith('tool-') && !notCalling.has(part.type))
}
