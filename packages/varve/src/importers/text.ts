import { createHash } from 'node:crypto'
import { InvalidScope } from '../errors/invalid-scope.ts'
import { maxContentBytes } from '../messages/validate.ts'
import { maxNameBytes, validName } from '../scope/name.ts'
import type { Tally } from './reasons.ts'

/** The longest message id that is kept as it is: `#2` and the like must fit behind it. */
export const maxIdBytes = maxNameBytes - 16

/** Removes characters that the store refuses: NUL goes, and a lone surrogate becomes U+FFFD. */
export function cleanText(text: string, tally: Tally): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '') : text
  if (withoutNul !== text) tally.repair('NUL removed')
  if (withoutNul.isWellFormed()) return withoutNul
  tally.repair('lone surrogate replaced')
  return withoutNul.toWellFormed()
}

/** Splits a text into pieces of at most `maxBytes` of UTF-8, between characters; joined, they are the text again. */
export function splitText(text: string, maxBytes = maxContentBytes): readonly string[] {
  if (text.length * 3 <= maxBytes) return [text]
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= maxBytes) return [text]
  const pieces: string[] = []
  for (let from = 0; from < bytes.length;) {
    const to = cut(bytes, from + maxBytes)
    pieces.push(bytes.toString('utf8', from, to))
    from = to
  }
  return pieces
}

/** Returns the last border between characters at or before `at`. In UTF-8 the bytes within a character are 10xxxxxx. */
function cut(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return bytes.length
  let to = at
  while (((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1
  return to
}

/** Makes a name or title that the store takes, or none: cleaned, trimmed, cut to 256 bytes. */
export function cleanName(name: string | undefined, tally: Tally): string | undefined {
  if (name === undefined) return undefined
  const trimmed = name.replaceAll('\0', '').toWellFormed().trim()
  const [short = ''] = splitText(trimmed, maxNameBytes)
  if (short !== name.trim()) tally.repair('name changed')
  return short === '' ? undefined : ownCopy(short)
}

/** Returns the id if it can name a session, else a replacement that is always the same for it. */
export function sessionId(id: string): { readonly id: string; readonly replaced: boolean } {
  try {
    return { id: ownCopy(validName('session', id)), replaced: false }
  } catch (error) {
    if (!(error instanceof InvalidScope)) throw error
    return { id: `session-${hash(id)}`, replaced: true }
  }
}

/** Returns the source's id of a message if the store takes it, else a replacement that is always the same for it. */
export function acceptedMessageId(id: string): { readonly id: string; readonly replaced: boolean } {
  const usable = !id.includes('\0') && id.isWellFormed() && Buffer.byteLength(id) <= maxIdBytes
  return usable ? { id, replaced: false } : { id: `id-${hash(id)}`, replaced: true }
}

/** Makes an id for a message without one: the same for the same words at the same place of the same session. */
export function derivedId(session: string, place: number, role: string, content: string): string {
  return `import-${hash(session, String(place), role, content)}`
}

/** Hashes the parts with their borders: 96 bits of sha256. It escapes as JSON does, so lone surrogates and NUL count too. */
export function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
}

// Copies a string: one cut from a chunk of 64 KiB keeps the whole chunk in memory.
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
