/** A word of a text, folded, before stemming. */
export interface Word {
  readonly text: string
  readonly script: Script
}

export type Script = 'latin' | 'cyrillic' | 'arabic' | 'spaceless' | 'dictionary' | 'other'

/** The longest indexed word, in UTF-16 code units; a longer one (a base64 blob) is cut. */
export const maxWordLength = 64

// Apostrophes join letters (don't), and marks between digits join them (3.14, 1,000, 12:30), as in UAX #29. Other
// joints of UAX #29 (index.ts, snake_case) are left apart, so that each part of a path or an identifier is found.
const words = new RegExp(
  String.raw`\p{N}+(?:[.,:]\p{N}+)*(?:[\p{L}\p{M}][\p{L}\p{M}\p{N}]*)?|` +
    String.raw`[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}]+)*|\p{Extended_Pictographic}`,
  'gu',
)
const asciiOnly = /^[\0-\x7f]*$/
const spaceless = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
const spacelessRuns =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/gu
const dictionary = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const cyrillic = /\p{Script=Cyrillic}/u
const arabic = /\p{Script=Arabic}/u
const latin = /\p{Script=Latin}|^[\p{N}.,:]+$/u

/** Made when it is first needed: that takes 30 ms and some MB, and most talk is in other scripts. */
let wordSegmenter: Intl.Segmenter | undefined

/**
 * Folds a text: NFKC and case folding. Upper-casing first folds ß to ss and every sigma to one; the dot that İ leaves
 * behind goes. The apostrophe is made plain, so that it's and it’s are one word.
 */
export function fold(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('\u0307', '').replaceAll('’', "'")
}

/**
 * Splits a text into words. A regular expression cuts scripts with spaces: ten times cheaper than Intl.Segmenter, and
 * equal to it on prose (a test compares them).
 *
 * Intl.Segmenter cuts scripts that need a dictionary. Scripts without spaces become single characters and bigrams.
 */
export function wordsOf(text: string): Word[] {
  const folded = fold(text)
  const found: Word[] = []
  if (asciiOnly.test(folded)) {
    for (const word of folded.match(words) ?? []) found.push({ text: word.slice(0, maxWordLength), script: 'latin' })
    return found
  }
  for (const [word] of folded.matchAll(words)) addWord(word, found)
  return found
}

function addWord(word: string, found: Word[]): void {
  if (spaceless.test(word)) {
    for (const [run] of word.matchAll(spacelessRuns)) addRun(run, found)
  } else if (dictionary.test(word)) {
    wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
    for (const { segment, isWordLike } of wordSegmenter.segment(word)) {
      if (isWordLike === true) found.push({ text: segment.slice(0, maxWordLength), script: 'dictionary' })
    }
  } else {
    found.push({ text: cut(word), script: scriptOf(word) })
  }
}

function addRun(run: string, found: Word[]): void {
  if (!spaceless.test(run)) {
    found.push({ text: cut(run), script: scriptOf(run) })
    return
  }
  const characters = [...run]
  for (const [place, character] of characters.entries()) {
    found.push({ text: character, script: 'spaceless' })
    const next = characters[place + 1]
    if (next !== undefined) found.push({ text: character + next, script: 'spaceless' })
  }
}

// Cuts a long word, never between the halves of a surrogate pair: a lone one could not be stored as UTF-8.
function cut(word: string): string {
  return word.length <= maxWordLength ? word : word.slice(0, maxWordLength).toWellFormed().replaceAll('\ufffd', '')
}

function scriptOf(word: string): Script {
  if (latin.test(word)) return 'latin'
  if (cyrillic.test(word)) return 'cyrillic'
  return arabic.test(word) ? 'arabic' : 'other'
}
