import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { deadRanges } from './dead-ranges.ts'

/** The number of pages that are read at once. */
const pagesPerRead = 256

/**
 * A stretch of at least this many bytes that an erased text has too counts as a copy of it. Shorter ones are in every
 * file by chance.
 */
export const leastRun = 12

/** Texts with fewer bytes ("ok") identify nothing. */
const leastText = 6

/** Keys are the first four bytes at every fourth place of a text. Any remaining stretch of seven bytes holds one of them. */
const keyBytes = 4

/** The most bytes of text to search for: with more, rewriting the file is cheaper. */
export const maxSearchedBytes = 2 * 1024 * 1024

/**
 * Tells whether a database file still holds a stretch of any of the texts where no living row can be. Those places are
 * the gaps and free blocks of its pages, and pages outside any tree.
 *
 * Page balancing leaves copies there, often only a word or two long.
 */
export function fileContains(file: string, texts: readonly Uint8Array[]): boolean {
  const find = finder(texts.filter((text) => text.length >= leastText))
  if (find === undefined || !existsSync(file)) return false
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(100)
    if (readSync(descriptor, header, 0, 100, 0) < 100) return false
    const stored = header.readUInt16BE(16)
    const pageSize = stored === 1 ? 65_536 : stored
    const buffer = Buffer.alloc(pageSize * pagesPerRead)
    for (let position = 0; ; position += buffer.length) {
      const read = readSync(descriptor, buffer, 0, buffer.length, position)
      for (let at = 0; at + pageSize <= read; at += pageSize) {
        const page = buffer.subarray(at, at + pageSize)
        if (deadRanges(page, position + at === 0).some(([from, to]) => find(page.subarray(from, to)))) return true
      }
      if (read < buffer.length) return false
    }
  } finally {
    closeSync(descriptor)
  }
}

interface Place {
  readonly text: Uint8Array
  readonly at: number
}

/**
 * Makes a search for texts. Two tables of byte pairs pass almost nothing on to the map; a match in the map is then
 * compared in both directions.
 */
function finder(texts: readonly Uint8Array[]): ((bytes: Buffer) => boolean) | undefined {
  if (texts.length === 0) return undefined
  const firstPair = new Uint8Array(65_536)
  const secondPair = new Uint8Array(65_536)
  const byKey = new Map<number, Place[]>()
  for (const text of texts) {
    const view = new DataView(text.buffer, text.byteOffset, text.byteLength)
    for (let at = 0; at + keyBytes <= text.length; at += keyBytes) {
      const key = view.getUint32(at)
      // Erased bytes are zeros. A vector has zeros too, and they would be found everywhere.
      if (key === 0) continue
      firstPair[key >>> 16] = 1
      secondPair[key & 0xffff] = 1
      const places = byKey.get(key)
      if (places === undefined) byKey.set(key, [{ text, at }])
      else places.push({ text, at })
    }
  }
  return (bytes) => {
    let key = bytes.length >= keyBytes ? bytes.readUInt32BE(0) : 0
    for (let at = keyBytes; at <= bytes.length; at += 1) {
      if (firstPair[key >>> 16] === 1 && secondPair[key & 0xffff] === 1) {
        if (byKey.get(key)?.some((place) => runLength(bytes, at - keyBytes, place) >= Math.min(leastRun, place.text.length)) === true)
          return true
      }
      key = ((key << 8) | (bytes[at] ?? 0)) >>> 0
    }
    return false
  }
}

/** Counts the bytes that agree around a common place, in both directions. */
function runLength(bytes: Buffer, here: number, { text, at }: Place): number {
  let before = 0
  while (before < here && before < at && bytes[here - before - 1] === text[at - before - 1]) before += 1
  let after = 0
  while (here + after < bytes.length && at + after < text.length && bytes[here + after] === text[at + after]) after += 1
  return before + after
}
