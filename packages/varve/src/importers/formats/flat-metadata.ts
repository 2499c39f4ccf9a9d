import type { Metadata, MetadataValue } from '../../messages/message.ts'
import { isRecord } from './values.ts'

/** Keeps the flat entries of a message's metadata; `left` counts the others. */
export function flatMetadata(given: unknown): { readonly kept?: Metadata; readonly left: number } {
  if (given === undefined || given === null) return { left: 0 }
  if (!isRecord(given)) return { left: 1 }
  const entries = Object.entries(given)
  const flat = entries.filter((entry): entry is [string, MetadataValue] => isFlat(entry[1]))
  const left = entries.length - flat.length
  return flat.length === 0 ? { left } : { kept: Object.fromEntries(flat), left }
}

function isFlat(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
}
