import { agentItemText } from './agent-items.ts'
import { jsonInPieces } from './json.ts'
import { atOnce, type Sliced } from './slices.ts'

/** Stands between the texts of parts. */
export const partBorder = '\n\n'

/**
 * Gives the readable text of AI SDK parts (UIMessage or ModelMessage), of Anthropic's blocks, and of tool items of OpenAI's
 * Agents SDK. Texts stay as they are; tools show name, input and output, files their name or type. Parts without any text
 * are named by their types, so that a lone picture is still a message.
 */
export function textOfParts(parts: readonly unknown[]): string {
  return atOnce(partsText(parts))
}

/** Gives the readable text of parts, in slices. */
export function* partsText(parts: readonly unknown[]): Sliced<string> {
  const pieces: string[] = []
  for (const part of parts) {
    yield
    const piece = yield* textOfPart(part)
    if (piece !== '') pieces.push(piece)
  }
  const text = pieces.join(partBorder)
  if (text !== '' || parts.length === 0) return text
  return `[${[...new Set(parts.map(typeOf))].join(', ')}]`
}

/** Parts beside the words: thoughts, and the borders of steps. */
export const besideWords: ReadonlySet<string> = new Set(['reasoning', 'redacted-reasoning', 'thinking', 'redacted_thinking', 'step-start'])

/** Tells whether parts hold no word, no file and no tool call. */
export function saysNothing(parts: readonly unknown[]): boolean {
  return parts.every((part) => {
    if (typeof part === 'string') return part === ''
    const type = typeOf(part)
    return besideWords.has(type) || (type === 'text' && atOnce(textOfPart(part)) === '')
  })
}

/** Gives the type that a part names, or `part`. */
export function typeOf(part: unknown): string {
  return part !== null && typeof part === 'object' && 'type' in part && typeof part.type === 'string' && part.type !== ''
    ? part.type
    : 'part'
}

function* textOfPart(part: unknown): Sliced<string> {
  if (typeof part === 'string') return part
  if (part === null || typeof part !== 'object') return ''
  const fields = part as Readonly<Record<string, unknown>>
  const type = typeof fields['type'] === 'string' ? fields['type'] : ''
  if (type === 'text') return typeof fields['text'] === 'string' ? fields['text'] : ''
  if (type === 'file' || type === 'image') return file(fields, type)
  if (type === 'tool-call' || type === 'tool_use') return `${toolName(fields, type)}(${yield* json(fields['input'] ?? fields['args'])})`
  if (type === 'tool-result') return `${toolName(fields, type)}: ${yield* output(fields['output'] ?? fields['result'])}`
  if (type === 'tool_result')
    return Array.isArray(fields['content']) ? yield* partsText(fields['content']) : yield* output(fields['content'])
  if (type.startsWith('tool-') || type === 'dynamic-tool') return yield* uiTool(fields, type)
  return agentItemText(fields, type) ?? ''
}

function file(fields: Readonly<Record<string, unknown>>, type: string): string {
  const name = [fields['filename'], fields['mediaType']].find((value) => typeof value === 'string' && value !== '')
  return name === undefined ? `[${type}]` : `[${type} ${String(name)}]`
}

function* uiTool(fields: Readonly<Record<string, unknown>>, type: string): Sliced<string> {
  const call = `${toolName(fields, type)}(${yield* json(fields['input'])})`
  const failed = typeof fields['errorText'] === 'string' ? `: failed: ${fields['errorText']}` : ''
  return fields['output'] === undefined ? `${call}${failed}` : `${call}: ${yield* output(fields['output'])}`
}

function toolName(fields: Readonly<Record<string, unknown>>, type: string): string {
  const name = [fields['toolName'], fields['name']].find((value) => typeof value === 'string')
  return name === undefined ? type.replace(/^tool-/, '') : String(name)
}

/** Reads a tool's output. ModelMessage wraps outputs as { type: 'text' | 'json' | …, value }. */
function* output(value: unknown): Sliced<string> {
  if (value !== null && typeof value === 'object' && 'type' in value && 'value' in value) return yield* json(value.value)
  return yield* json(value)
}

function* json(value: unknown): Sliced<string> {
  return typeof value === 'string' ? value : ((yield* jsonInPieces(value)) ?? '')
}
