import { InvalidArgumentError } from 'commander'
import type { MetadataValue } from '../messages/message.ts'
import { milliseconds } from '../messages/time.ts'

/** Reads a number. The operation checks its bounds. */
export function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.')
  return value
}

/** Checks that a text is a time, and gives it back unchanged. */
export function time(text: string): string {
  if (milliseconds(text) === undefined)
    throw new InvalidArgumentError('It must be ISO 8601 with its offset (2026-05-06T11:41:00+02:00), or a UTC day (2026-05-06).')
  return text
}

/** Reads a list with commas between its items. */
export function withCommas<Item>(text: string, read: (part: string) => Item): readonly Item[] {
  return text.split(',').map((part) => read(part.trim()))
}

/** Collects the values of a flag that may be repeated. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Reads `on` or `off`. */
export function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.')
  return text === 'on'
}

/** Adds one `key=value` to those before. Reads true, false, null, numbers and "quoted text" as JSON, and anything else as text. */
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
