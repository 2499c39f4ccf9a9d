import type { RawMessage } from '../../importers/importer.ts'
import { textOfParts } from '../../messages/parts.ts'

/** The most characters of a tool's input, or of its output, that are searched. The transcript keeps all of it. */
export const maxToolChars = 8_000

/** Bounds what tools got and gave in a message, for the index. People's and the assistant's words stay whole. */
export function boundedTalk(message: RawMessage): RawMessage {
  if (message.parts === undefined) return message
  const parts = message.parts.map(boundedPart)
  return parts.every((part, at) => part === message.parts?.[at]) ? message : { ...message, parts, content: textOfParts(parts) }
}

function boundedPart(part: unknown): unknown {
  if (part === null || typeof part !== 'object') return part
  const { input, output } = { input: undefined, output: undefined, ...part }
  const given = input === undefined ? '' : JSON.stringify(input)
  if (given.length > maxToolChars) return { ...part, input: cut(given) }
  const value: unknown = Reflect.get(Object(output), 'value')
  if (typeof value === 'string' && value.length > maxToolChars) return { ...part, output: { ...Object(output), value: cut(value) } }
  return part
}

function cut(text: string): string {
  return `${text.slice(0, maxToolChars).toWellFormed()}\n[${text.length - maxToolChars} characters left out]`
}
