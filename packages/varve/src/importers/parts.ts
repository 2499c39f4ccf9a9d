import { InvalidMessage } from '../errors/invalid-message.ts'
import { validMessages } from '../messages/validate.ts'
import type { Tally } from './reasons.ts'

/** Makes parts that the store takes: clean text, and at most 4 MiB as JSON. Larger ones keep only the names of the called tools. */
export function acceptedParts(parts: readonly unknown[], tally: Tally): readonly unknown[] {
  const clean = parts.map(cleanPart)
  if (JSON.stringify(clean) !== JSON.stringify(parts)) tally.repair('parts cleaned')
  if (areTaken(clean)) return clean
  tally.repair('parts shortened')
  return clean.map(shortPart)
}

/** Returns the value with all its texts, keys too, as the store takes them. */
function cleanPart(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(cleanPart)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replaceAll('\0', '').toWellFormed(), cleanPart(inner)]))
}

const kept: ReadonlySet<string> = new Set(['type', 'toolCallId', 'toolName'])

function shortPart(part: unknown): unknown {
  return part === null || typeof part !== 'object'
    ? { type: 'part' }
    : Object.fromEntries(Object.entries(part).filter(([key]) => kept.has(key)))
}

function areTaken(parts: readonly unknown[]): boolean {
  try {
    return validMessages({ role: 'tool', content: 'parts', parts }, 0).length === 1
  } catch (error) {
    if (error instanceof InvalidMessage) return false
    throw error
  }
}
