import { isAgentCall, isAgentResult } from './agent-items.ts'
import type { Message } from './message.ts'
import { besideWords, textOfParts, typeOf } from './parts.ts'

/** Tells whether a part is a tool's call or result, as the AI SDK, Anthropic's and OpenAI's wire formats name them. */
function isToolPart(part: unknown): boolean {
  const type = typeOf(part)
  return /^(?:tool-.*|dynamic-tool|(?:.*_)?tool_(?:use|result))$/.test(type) || isAgentCall(type) || isAgentResult(type)
}

function isText(part: unknown): boolean {
  return typeof part === 'string' || typeOf(part) === 'text'
}

/** Data beside the words: the AI SDK leaves parts of such types to the host. */
function isHostData(part: unknown): boolean {
  return typeOf(part).startsWith('data-')
}

/**
 * Tells whether a message is only a trace of tools: a tool's message, or one without a word beside calls and results. One
 * that was given words of its own beside its parts is none.
 */
export function isToolTrace({ role, content, parts = [] }: Pick<Message, 'role' | 'content' | 'parts'>): boolean {
  if (role === 'tool') return true
  if (!parts.some(isToolPart)) return false
  const isWordless = parts.every(
    (part) => isToolPart(part) || isHostData(part) || besideWords.has(typeOf(part)) || (isText(part) && textOfParts([part]).trim() === ''),
  )
  return isWordless && content === textOfParts(parts)
}

/** Gives the words of a message without the calls and results among its parts: what it says where no tools are shown. */
export function wordsBesideTools({ content, parts = [] }: Pick<Message, 'content' | 'parts'>): string {
  if (!parts.some(isToolPart) || content !== textOfParts(parts)) return content
  return textOfParts(parts.filter((part) => !isToolPart(part)))
}
