import { hash as digest } from 'node:crypto'
import type { RecalledRange } from './message.ts'

/** The words in a run that is compared. Eight in a row are hardly ever said again by chance. */
export const shingleWords = 8

/** The fewest words in a row that are an echo of what the session was shown, and of what another session was shown. */
interface EchoWords {
  readonly here: number
  readonly elsewhere: number
}

/**
 * Of agents and tools. People say eight words of their own again on another day, as a greeting, an address or a task
 * that recurs, and agents repeat them.
 */
export const agentsEchoWords: EchoWords = { here: shingleWords, elsewhere: 16 }

/**
 * Of a person. People say an address again, since they moved back, or most of a sentence that they correct. The rest of
 * it says nothing without those words. Pasted contexts are mostly longer.
 */
export const personsEchoWords: EchoWords = { here: 40, elsewhere: 40 }

/** In scripts without spaces each character is half a word: eight of them may be a name. */
const spacelessWeight = 0.5

const spaceless = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`
const isSpaceless = new RegExp(spaceless, 'u')

// Escapes that JSON puts before a character are passed over, so that a text and its escaped form have the same words.
const tokens = new RegExp(String.raw`\\+u([0-9a-fA-F]{4})|\\+[nrtbf"\/]|(${spaceless})|([[\p{L}\p{N}\p{M}]--${spaceless}]+)`, 'gv')

interface Place {
  readonly hash: number
  readonly from: number
  readonly to: number
  /** Whole words count 1. */
  readonly weight: number
}

/**
 * Gives keyed hashes of all runs of eight words of a text, as bytes (four a hash). A context leaves them behind so that
 * its echo is known.
 */
export function shinglesOf(text: string, key: string): Uint8Array {
  const words = places(text, seedOf(key))
  const hashes = new Uint32Array(words.length)
  let count = 0
  eachRun(words, (hash) => {
    hashes[count] = hash
    count += 1
  })
  return new Uint8Array(hashes.buffer, 0, count * hashes.BYTES_PER_ELEMENT)
}

/** Reads the hashes in stored bytes. */
export function shinglesIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer)
}

/** The hashes of texts that were shown lately. */
export type ShownHashes = Pick<ReadonlySet<number>, 'has' | 'size'>

/** The hashes of the texts that a session was shown, and that the other sessions of its partition were shown. */
export interface ShownBefore {
  readonly here: ShownHashes
  readonly elsewhere: ShownHashes
}

/** Finds ranges of a text that repeat enough words in a row of texts that were shown before. Touching ranges are one. */
export function echoedRanges(text: string, key: string, { here, elsewhere }: ShownBefore, words = agentsEchoWords): RecalledRange[] {
  if (here.size + elsewhere.size === 0) return []
  const said = runs(places(text, seedOf(key)))
  const ofHere = new Set(said.filter(({ hash }) => here.has(hash)))
  const ofAny = new Set(said.filter((run) => ofHere.has(run) || elsewhere.has(run.hash)))
  return merged([...rowsOf(said, ofHere, words.here), ...rowsOf(said, ofAny, words.elsewhere)])
}

/** Returns the runs that were shown and stand in rows of so many words. */
function rowsOf(said: readonly Run[], shown: ReadonlySet<Run>, words: number): Run[] {
  const found: Run[] = []
  let row: Run[] = []
  const endRow = (): void => {
    if (weightOf(row) >= words) found.push(...row)
    row = []
  }
  for (const run of said) {
    if (shown.has(run)) row.push(run)
    else endRow()
  }
  endRow()
  return found
}

/** Weighs the words of runs that begin one word after the other. */
function weightOf(row: readonly Run[]): number {
  return row.reduce((sum, { first }) => sum + first, 0) + (row.at(-1)?.weight ?? 0) - (row.at(-1)?.first ?? 0)
}

/** Gives the ranges of a text outside those that Varve itself had rendered. A range without a letter or a number is left out. */
export function saidRanges(text: string, recalled: readonly RecalledRange[] = []): RecalledRange[] {
  if (recalled.length === 0) return [{ from: 0, to: text.length }]
  const said: RecalledRange[] = []
  let from = 0
  for (const range of [...recalled, { from: text.length, to: text.length }]) {
    const part = text.slice(from, range.from)
    // The stop of an echoed sentence goes with it.
    const [stop = ''] = (from > 0 && /^\p{P}*\s+/u.exec(part)) || []
    if (/[\p{L}\p{N}]/u.test(part)) said.push({ from: from + stop.length, to: from + part.trimEnd().length })
    from = range.to
  }
  return said
}

/** Sorts ranges and joins those that overlap or touch. */
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
  return digest('sha256', `shingles ${key}`, 'buffer').readUInt32BE(0)
}

function places(text: string, seed: number): Place[] {
  const found: (Place & { hash: number; to: number; joins: boolean })[] = []
  for (const match of text.matchAll(tokens)) {
    const [token, code, sign, letters] = match
    const word = code === undefined ? (sign ?? letters) : String.fromCharCode(Number.parseInt(code, 16))
    if (word === undefined || (code !== undefined && !/[\p{L}\p{N}\p{M}]/u.test(word))) continue
    const to = match.index + token.length
    const last = found.at(-1)
    const alone = code === undefined ? sign !== undefined : isSpaceless.test(word)
    // An escaped letter is part of the word that it touches: caf\u00e9.
    if (last !== undefined && !alone && last.joins && last.to === match.index) {
      last.hash = hashWord(word, last.hash)
      last.to = to
    } else found.push({ hash: hashWord(word, seed), from: match.index, to, weight: alone ? spacelessWeight : 1, joins: !alone })
  }
  return found
}

/**
 * Hashes a word: FNV-1a over UTF-16 code units, case folded. Hashes chain, so that a word in pieces has the hash of the
 * whole.
 */
function hashWord(word: string, start: number): number {
  const folded = word.toLowerCase()
  let hash = start
  for (let at = 0; at < folded.length; at += 1) hash = Math.imul(hash ^ folded.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

interface Run extends Place {
  /** The weight of its first word. */
  readonly first: number
}

/** Gives for each word the run from it that weighs as much as eight words. */
function runs(words: readonly Place[]): Run[] {
  const found: Run[] = []
  eachRun(words, (hash, weight, { from, weight: first }, { to }) => found.push({ hash, from, to, weight, first }))
  return found
}

function eachRun(words: readonly Place[], take: (hash: number, weight: number, first: Place, last: Place) => void): void {
  for (const [start, first] of words.entries()) {
    let hash = 0x811c9dc5
    let weight = 0
    let last = first
    // A loop over places: of a long context, this is most of what noting it costs.
    for (let end = start; weight < shingleWords; end += 1) {
      const word = words[end]
      if (word === undefined) return
      hash = (Math.imul(hash, 0x85ebca6b) ^ word.hash) >>> 0
      weight += word.weight
      last = word
    }
    take(hash, weight, first, last)
  }
}
