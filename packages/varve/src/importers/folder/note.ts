import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import type { SkipReason, Tally } from '../reasons.ts'
import { cleanText } from '../text.ts'
import { noteTitle } from './title.ts'

/** The largest note, in bytes. A longer one is no note: a log, or a database with a misleading name. */
export const maxNoteBytes = 4 * 1024 * 1024

/** The longest content of a document, and of one that names no bound, in characters. */
export const longestDocument = 200_000
export const usualDocument = 16_000

/** A note's text in pieces that fit a document each, and its title with its date and tags. */
export interface ReadNote {
  readonly pieces: readonly string[]
  readonly title: string | undefined
  readonly bytes: number
}

/** Reads a note as text: UTF-8, or UTF-16 with its mark. Nothing is taken out of it but characters that no store takes. */
export async function readNote(file: string, tally: Tally): Promise<ReadNote | SkipReason> {
  const bytes = await bytesOf(file)
  if (typeof bytes === 'string') return bytes
  const text = cleanText(decoded(bytes, tally).replaceAll('\r\n', '\n'), tally)
  if (text.trim() === '') return 'empty content'
  const pieces = piecesOf(text)
  if (pieces.length > 1) tally.repair('content split')
  return { pieces, title: await noteTitle(text, tally), bytes: bytes.length }
}

async function bytesOf(file: string): Promise<Uint8Array | SkipReason> {
  try {
    // A link that took the file's place since it was listed is not followed, and a pipe is not waited for.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) return 'cannot be read'
      if (found.size > maxNoteBytes) return 'file too large'
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code === 'ELOOP' ? 'symbolic link' : 'cannot be read'
    throw error
  }
}

function decoded(bytes: Uint8Array, tally: Tally): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (!isUtf8(bytes)) tally.repair('invalid UTF-8 replaced')
  return new TextDecoder().decode(bytes)
}

/** Cuts a text at the ends of lines, where it can, into pieces of at most the longest document. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > longestDocument) {
    const line = rest.lastIndexOf('\n', longestDocument - 1) + 1
    const to = line > longestDocument / 2 ? line : atCharacter(rest, longestDocument)
    pieces.push(rest.slice(0, to))
    rest = rest.slice(to)
  }
  return rest.trim() === '' && pieces.length > 0 ? pieces : [...pieces, rest]
}

/** Returns the place, or the one before it where it would cut a character in two. */
function atCharacter(text: string, place: number): number {
  return /[\ud800-\udbff]/u.test(text.charAt(place - 1)) ? place - 1 : place
}
