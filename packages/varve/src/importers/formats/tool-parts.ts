import { growingCache } from '../../caches/growing-cache.ts'

/** Deeper than any tool's input; nested brackets could otherwise be too deep to write as JSON again. */
export const maxInputDepth = 64

/** A part of a message, in the shape of the AI SDK. */
export interface ToolPart {
  readonly type: string
  readonly [field: string]: unknown
}

/** The most calls of a file whose tools' names are remembered, for results that name none. */
const maxKnownCalls = 5_000

/** The names of the tools, by the ids of their calls. */
export function toolNames(): ToolNames {
  return growingCache<string, string>(maxKnownCalls)
}

export interface ToolNames {
  readonly get: (id: string) => string | undefined
  readonly set: (id: string, name: string) => unknown
}

/** Makes the part of a tool's call. `shortened`: its input was nested too deep, and is left out. */
export function callPart(toolCallId: string, toolName: string, input: unknown): { readonly part: ToolPart; readonly shortened: boolean } {
  const shortened = isDeeper(input, maxInputDepth)
  return { part: { type: 'tool-call', toolCallId, toolName, input: shortened ? {} : (input ?? {}) }, shortened }
}

/** Makes the part of a tool's result, as text. */
export function resultPart(toolCallId: string, toolName: string, text: string, isError = false): ToolPart {
  const value = text === '' ? '(no output)' : text
  return { type: 'tool-result', toolCallId, toolName, output: { type: isError ? 'error-text' : 'text', value } }
}

/** Reads arguments that stand as JSON in a text. A text that is not JSON stays as it is. */
export function parsedArguments(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    const parsed: unknown = JSON.parse(given)
    return parsed
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return { arguments: given }
    throw error
  }
}

/** Writes a value that is no text as JSON; one that is nested too deep as a note. */
export function writtenValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return isDeeper(value, maxInputDepth) ? '[nested too deep]' : JSON.stringify(value)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
