import type { Message } from './message.ts'

/** Parts by which an assistant calls a tool, as the AI SDK, Anthropic's and OpenAI's wire formats name them. */
const calling: ReadonlySet<string> = new Set(['tool-call', 'tool_use', 'function_call', 'dynamic-tool'])
/** Parts of an AI SDK message that begin as a UIMessage's calls (`tool-weather`) and are none. */
const notCalling: ReadonlySet<string> = new Set(['tool-result', 'tool-error', 'tool-approval-request', 'tool-approval-response'])

/**
 * How many tools a message calls: an assistant's parts that do; and one for a tool's message without parts, by which a host
 * that keeps no parts tells of a call. Results count nothing: their calls have been counted.
 *
 * @example callsIn({ role: 'assistant', parts: [{ type: 'tool-call', toolName: 'read' }] }) // 1
 */
export function callsIn({ role, parts }: Pick<Message, 'role' | 'parts'>): number {
  if (role === 'tool') return parts === undefined || parts.length === 0 ? 1 : 0
  return role === 'assistant' ? (parts ?? []).filter(isCall).length : 0
}

/** Whether a message is of the conversation itself, and not of a subagent's. */
export function isMain({ thread }: Pick<Message, 'thread'>): boolean {
  return thread === undefined
}

/** What a message adds to its session's main line. */
export interface MainLine {
  readonly tokens: number
  readonly calls: number
  /** Whether the assistant makes a pause with it: undefined where it says nothing of that. */
  readonly isPause: boolean | undefined
}

/** A subagent's message adds nothing. A tool's message that tells of a call is the assistant's doing. */
export function mainLineOf(message: Pick<Message, 'role' | 'parts' | 'thread' | 'tokens'>): MainLine {
  if (!isMain(message)) return { tokens: 0, calls: 0, isPause: undefined }
  const calls = callsIn(message)
  return { tokens: message.tokens, calls, isPause: message.role === 'assistant' || calls > 0 ? calls === 0 : undefined }
}

function isCall(part: unknown): boolean {
  if (part === null || typeof part !== 'object' || !('type' in part) || typeof part.type !== 'string') return false
  return calling.has(part.type) || (part.type.startsWith('tool-') && !notCalling.has(part.type))
}
