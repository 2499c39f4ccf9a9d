import { InvalidArgumentError } from 'commander'
import type { MetadataValue } from '../messages/message.ts'

/** A number; its bounds are checked by what takes it. */
export function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.')
  return value
}

/** `key=value`, again and again: true, false, null, numbers and "quoted text" are read as JSON, all else is text. */
export function metadataPair(text: string, before: Readonly<Record<string, MetadataValue>> = {}): Readonly<Record<string, MetadataValue>> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be key=value.')
  return { ...before, [text.slice(0, at)]: metadataValue(text.slice(at + 1)) }
}

const jsonScalar = /^(true|false|null|-?\d+(\.\d+)?|"([^"\\]|\\.)*")$/

function metadataValue(text: string): MetadataValue {
  if (!jsonScalar.test(text)) return text
  try {
    const value: MetadataValue = JSON.parse(text)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
