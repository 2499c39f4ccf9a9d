import { createHash } from 'node:crypto'
import type { RecalledRange } from './message.ts'

/** Words in a run that is compared. Eight in a row are hardly ever said again by chance. */
export const shingleWords = 8

// What JSON puts before a character is passed over, so that a text and its escaped form have the same words.
const tokens = /\\u([0-9a-fA-F]{4})|\\+[nrtbf"/]|[\p{L}\p{N}\p{M}]+/gu

interface Place {
  readonly hash: number
  readonly from: number
  readonly to: number
}

/** Keyed hashes of all runs of eight words of a text, as bytes (four a hash): what a context leaves behind to know its echo. */
export function shinglesOf(text: string, key: string): Uint8Array {
  const hashes = new Uint32Array(new Set(runs(places(text, seedOf(key))).map((run) => run.hash)))
  return new Uint8Array(hashes.buffer)
}

/** The hashes in stored bytes. */
export function shinglesIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer)
}

/** What a session was shown lately. */
export type ShownHashes = Pick<ReadonlySet<number>, 'has' | 'size'>

/** Ranges of a text whose runs of eight words were all shown before; touching ranges are one. */
export function echoedRanges(text: string, key: string, shown: ShownHashes): RecalledRange[] {
  if (shown.size === 0) return []
  const echoed = runs(places(text, seedOf(key))).filter((run) => shown.has(run.hash))
  return merged(echoed)
}

/** Sorted, apart from each other. */
export function merged(ranges: readonly RecalledRange[]): RecalledRange[] {
  const result: { from: number; to: number }[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else result.push({ from: range.from, to: range.to })
  }
  return result
}

function seedOf(key: string): number {
  return createHash('sha256').update(`shingles ${key}`).digest().readUInt32BE(0)
}

function places(text: string, seed: number): Place[] {
  const found: { hash: number; from: number; to: number; joined: boolean }[] = []
  for (const match of text.matchAll(tokens)) {
    const [token, code] = match
    if (token.startsWith('\\') && code === undefined) continue
    const word = code === undefined ? token : String.fromCharCode(Number.parseInt(code, 16))
    if (!/[\p{L}\p{N}\p{M}]/u.test(word)) continue
    const to = match.index + token.length
    const last = found.at(-1)
    // An escaped letter is part of the word that it touches: caf\u00e9.
    if (last !== undefined && last.to === match.index && (code !== undefined || last.joined)) {
      last.hash = hashWord(word, last.hash)
      last.to = to
      last.joined = true
    } else found.push({ hash: hashWord(word, seed), from: match.index, to, joined: code !== undefined })
  }
  return found
}

/** FNV-1a over UTF-16 code units, case folded. Hashes chain, so that a word in pieces has the hash of the whole. */
function hashWord(word: string, start: number): number {
  const folded = word.toLowerCase()
  let hash = start
  for (let at = 0; at < folded.length; at += 1) hash = Math.imul(hash ^ folded.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

function runs(words: readonly Place[]): Place[] {
  const found: Place[] = []
  for (let at = 0; at + shingleWords <= words.length; at += 1) {
    let hash = 0x811c9dc5
    for (const word of words.slice(at, at + shingleWords)) hash = (Math.imul(hash, 0x85ebca6b) ^ word.hash) >>> 0
    found.push({ hash, from: words[at]?.from ?? 0, to: words[at + shingleWords - 1]?.to ?? 0 })
  }
  return found
}
