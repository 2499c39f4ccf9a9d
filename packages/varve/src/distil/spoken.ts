import type { Message } from '../messages/message.ts'

/**
 * The longest tool output that counts as words. A longer one, one of several lines, or code is material, and says
 * nothing by itself.
 */
const longestRemark = 200
const isCode = /[{}<>=;|\\→]|\w\/\w|\(\)|^\s*(?:at|import|export|const|function)\s/u

/**
 * Gives the words in a message that has parts: an assistant's words without its calls, and a tool's answer if it reads
 * as words.
 */
export function spokenText({ role, content, parts = [], recalled = [] }: Pick<Message, 'role' | 'content' | 'parts' | 'recalled'>): string {
  const kinds = parts.map(fieldsOf)
  if (recalled.length > 0 || !kinds.some(({ type }) => isOfTool(type))) return content
  if (role === 'assistant')
    return kinds.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n\n')
  return role === 'tool'
    ? kinds
        .map(({ output, result }) => answerOf(output ?? result))
        .filter((text) => text !== '')
        .join('\n\n')
    : content
}

function fieldsOf(part: unknown): Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null ? { ...part } : {}
}

function isOfTool(type: unknown): boolean {
  return typeof type === 'string' && /^(?:tool[-_]|dynamic-tool$|function_call)/.test(type)
}

/** Reads a tool's answer. ModelMessage wraps outputs as { type: 'text' | 'json' | …, value }. */
function answerOf(output: unknown): string {
  const { type, value } = fieldsOf(output)
  const answer = typeof type === 'string' && value !== undefined ? value : output
  if (typeof answer !== 'string') return answer === undefined ? '' : (JSON.stringify(answer) ?? '')
  const isRemark = answer.length <= longestRemark && !answer.trim().includes('\n') && !isCode.test(answer)
  return isRemark || /^\s*[[{]/u.test(answer) ? answer : ''
}
