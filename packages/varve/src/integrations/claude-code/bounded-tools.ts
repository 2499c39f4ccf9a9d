import type { ImportItem, RawMessage } from '../../importers/importer.ts'
import { textOfParts } from '../../messages/parts.ts'

/** The most characters that are kept of a tool's output, and of each text of a tool's input. */
export const maxOutputCharacters = 4_000
export const maxInputCharacters = 1_000

/** The end of an output often has the error. */
const endShare = 0.25

/** Cuts the outputs and inputs of tools in a message. Words of people and of the assistant stay as they are. */
export function withBoundedTools(item: ImportItem): ImportItem {
  if (item.kind !== 'message') return item
  const { message } = item
  if (message.parts !== undefined) return { ...item, message: boundedParts(message, message.parts) }
  if (message.origin !== 'tool') return item
  return { ...item, message: { ...message, content: cut(message.content, maxOutputCharacters) } }
}

function boundedParts(message: RawMessage, parts: readonly unknown[]): RawMessage {
  const bounded = parts.map(boundedPart)
  return bounded.every((part, place) => part === parts[place]) ? message : { ...message, parts: bounded, content: textOfParts(bounded) }
}

/** Returns a part itself when it is within the bounds. */
function boundedPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  if (part['type'] === 'tool-result') return withField(part, 'output', within(part['output'], maxOutputCharacters))
  return part['type'] === 'tool-call' ? withField(part, 'input', within(part['input'], maxInputCharacters)) : part
}

function withField(part: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  return value === part[name] ? part : { ...part, [name]: value }
}

/** Cuts all texts of a value. */
function within(value: unknown, most: number): unknown {
  if (typeof value === 'string') return cut(value, most)
  if (Array.isArray(value)) {
    const items = value.map((item) => within(item, most))
    return items.every((item, place) => item === value[place]) ? value : items
  }
  if (!isRecord(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [name, within(field, most)] as const)
  return fields.every(([name, field]) => field === value[name]) ? value : Object.fromEntries(fields)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = Math.floor(most * endShare)
  const left = text.length - most
  return `${text.slice(0, most - end).toWellFormed()}\n[… ${left} characters left out …]\n${text.slice(-end).toWellFormed()}`
}
