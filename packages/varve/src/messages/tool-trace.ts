import { isAgentCall, isAgentResult } from './agent-items.ts'
import { merged } from './echo.ts'
import type { Message, RecalledRange } from './message.ts'
import { besideWords, partBorder, textOfParts, typeOf } from './parts.ts'

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

type Words = Pick<Message, 'content' | 'recalled'>

/** Gives the words of a message without the calls and results among its parts: what it says where no tools are shown. */
export function besideTools({ content, parts = [], recalled = [] }: Words & Pick<Message, 'parts'>): Words {
  if (!parts.some(isToolPart) || content !== textOfParts(parts)) return { content, recalled }
  const words = textOfParts(parts.filter((part) => !isToolPart(part)))
  return { content: words, recalled: recalled.length === 0 ? recalled : recalledBeside(parts, recalled) }
}

/** Gives ranges of the text of all parts as ranges of the text without the parts of tools. */
function recalledBeside(parts: readonly unknown[], recalled: readonly RecalledRange[]): RecalledRange[] {
  const moved: RecalledRange[] = []
  // As if a border stood before the first part too.
  let [at, kept] = [-partBorder.length, -partBorder.length]
  for (const part of parts) {
    const length = textOfParts(['-', part]).length - 1
    if (!isToolPart(part)) {
      for (const { from, to } of recalled)
        if (from < at + length && to > at)
          moved.push({ from: Math.max(0, Math.max(from, at) - at + kept), to: Math.min(to, at + length) - at + kept })
      kept += length
    }
    at += length
  }
  return merged(moved)
}
