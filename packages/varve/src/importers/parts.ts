import { InvalidMessage } from '../errors/invalid-message.ts'
import { validMessages } from '../messages/validate.ts'
import type { Tally } from './reasons.ts'

/** Parts as the store takes them: clean text, and at most 4 MiB as JSON; of larger ones only what was called is kept. */
export function acceptedParts(parts: readonly unknown[], tally: Tally): readonly unknown[] {
  const clean = parts.map(cleanPart)
  if (JSON.stringify(clean) !== JSON.stringify(parts)) tally.repair('parts cleaned')
  if (areTaken(clean)) return clean
  tally.repair('parts shortened')
  return clean.map(shortPart)
}

/** The value with every text in it, keys too, as the store takes it. */
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
