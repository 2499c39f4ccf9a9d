import { wordSet } from '../word-lists.ts'
import { withoutColours } from './wording.ts'

/** A tool call in a message, or an answer of a tool. */
export interface ToolEvent {
  readonly id: string | undefined
  readonly tool: string | undefined
  /** The call's input. Undefined for an answer alone. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  /** The answer. Undefined for a call alone. */
  readonly output: string | undefined
  readonly isError: boolean
}

/** The parts of an answer that are read, in UTF-16 code units: its beginning and its end. */
const headLength = 12_000
const tailLength = 6_000
const maxDepth = 4
const maxJson = 262_144
const maxItems = 200

type Fields = Readonly<Record<string, unknown>>

const resultTypes: ReadonlySet<string> = new Set([
  ...['tool-result', 'tool_result', 'tool-error', 'function_call_output', 'function_call_result'],
])

/** Calls and answers in the parts of a message, in the shapes of the AI SDK, of Anthropic's wire format, and of OpenAI's two. */
export function toolEvents(parts: readonly unknown[]): ToolEvent[] {
  return parts.flatMap((part) => (isFields(part) && typeof part['type'] === 'string' ? eventOf(part, part['type']) : []))
}

function eventOf(part: Fields, type: string): ToolEvent[] {
  const id = textIn(part, 'toolCallId', 'tool_use_id', 'call_id', 'callId', 'id')
  const tool = textIn(part, 'toolName', 'name')
  if (resultTypes.has(type)) {
    const given = part['output'] ?? part['result'] ?? part['content'] ?? part['error']
    const isMarked = part['is_error'] === true || part['isError'] === true || type === 'tool-error'
    const isError = isMarked || (isFields(given) && String(given['type']).startsWith('error'))
    return [{ id, tool, input: undefined, output: readable(given), isError }]
  }
  if (type === 'tool-call' || type === 'tool_use' || type === 'function_call')
    return [{ id, tool, input: inputOf(part['input'] ?? part['args'] ?? part['arguments']), output: undefined, isError: false }]
  if (type !== 'dynamic-tool' && (!type.startsWith('tool-') || type.startsWith('tool-approval'))) return []
  const failed = textIn(part, 'errorText')
  const output = failed ?? (part['output'] === undefined ? undefined : readable(part['output']))
  return [{ id, tool: tool ?? type.slice('tool-'.length), input: inputOf(part['input']), output, isError: failed !== undefined }]
}

/** Returns a tool's answer as text: the texts in it, line by line, up to the length that is read. */
export function readable(value: unknown): string {
  const text = withoutColours(textOf(typeof value === 'string' ? jsonOr(value) : value, 0))
  return text.length <= headLength + tailLength ? text : `${text.slice(0, headLength)}\n${text.slice(-tailLength)}`
}

/** Parses JSON, which many tools print; returns other text as it is. */
function jsonOr(text: string): unknown {
  if (!/^\s*[[{]/u.test(text) || text.length > maxJson) return text
  try {
    const read: unknown = JSON.parse(text)
    return read
  } catch {
    // Not JSON: a listing or a log that begins with a bracket.
    return text
  }
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || typeof value !== 'object' || depth >= maxDepth) return ''
  const texts = Array.isArray(value)
    ? value.slice(0, maxItems).map((item) => textOf(item, depth + 1))
    : Object.entries(value)
        .slice(0, maxItems)
        .map(([name, inner]) => fieldText(name, inner, depth + 1))
  return texts.filter((text) => text !== '').join('\n')
}

function fieldText(name: string, value: unknown, depth: number): string {
  const text = name === 'type' ? '' : textOf(name === 'value' && typeof value === 'string' ? jsonOr(value) : value, depth)
  return text === '' || plainFields.has(name) ? text : `${name}: ${text}`
}

/** Fields of an answer that hold printed text. Their names say nothing. */
const plainFields = wordSet('text value content output stdout stderr result message data body')

function inputOf(value: unknown): Fields {
  if (isFields(value)) return value
  if (typeof value !== 'string') return {}
  try {
    const read: unknown = JSON.parse(value)
    return isFields(read) ? read : { input: value }
  } catch {
    // Not JSON: the tool takes plain text.
    return { input: value }
  }
}

function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  return names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== '')
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
