import type { TermDictionary } from './dictionary.ts'

/** The letters that two words must share: too many shorter words begin alike by chance. */
const leastLetters = 5

const isWord = new RegExp(`^\\p{L}{${leastLetters},}$`, 'u')
const encoder = new TextEncoder()

/**
 * Finds terms that begin with one another. These are words of one family with different stems ("photo" and
 * "photographi"; "hafen" and "hafenmeist"), in any language.
 *
 * Terms are grouped by their first letters, when a question first needs it.
 */
export class Relatives {
  readonly #terms: TermDictionary
  /** By the hash of the first letters: the last term with them; by term: the one before it. Each plus 1; 0 for none. */
  #last = new Int32Array(0)
  #before = new Int32Array(0)
  #seen = 0

  constructor(terms: TermDictionary) {
    this.#terms = terms
  }

  get bytes(): number {
    return this.#last.byteLength + this.#before.byteLength
  }

  /** Returns the terms that begin with a word, and those that a word begins with; without the word itself. */
  of(word: string): number[] {
    if (!isWord.test(word)) return []
    this.#takeNew()
    const bytes = encoder.encode(word)
    const found: number[] = []
    for (let entry = this.#last[this.#slot(bytes, firstLetters(bytes))] ?? 0; entry !== 0; entry = this.#before[entry - 1] ?? 0) {
      if (isBeginning(bytes, this.#terms.bytesOf(entry - 1))) found.push(entry - 1)
    }
    return found
  }

  #takeNew(): void {
    const { size } = this.#terms
    if (size > this.#before.length) {
      const room = 2 ** Math.ceil(Math.log2(size + 1))
      this.#last = new Int32Array(room)
      this.#before = new Int32Array(room)
      this.#seen = 0
    }
    for (; this.#seen < size; this.#seen += 1) {
      const bytes = this.#terms.bytesOf(this.#seen)
      const end = firstLetters(bytes)
      if (end === 0) continue
      const slot = this.#slot(bytes, end)
      this.#before[this.#seen] = this.#last[slot] ?? 0
      this.#last[slot] = this.#seen + 1
    }
  }

  #slot(bytes: Uint8Array, end: number): number {
    let value = 0
    for (let at = 0; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193)
    return (value ^ (value >>> 15)) & (this.#last.length - 1)
  }
}

/** Returns the end of the first letters in UTF-8; 0 when there are fewer. */
function firstLetters(bytes: Uint8Array): number {
  let letters = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const isContinued = ((bytes[at] ?? 0) & 0xc0) === 0x80
    if (isContinued) continue
    if (letters === leastLetters) return at
    letters += 1
  }
  return letters === leastLetters ? bytes.length : 0
}

/** Tells whether one text begins with the other and they differ. */
function isBeginning(one: Uint8Array, other: Uint8Array): boolean {
  const shared = Math.min(one.length, other.length)
  for (let at = 0; at < shared; at += 1) if (one[at] !== other[at]) return false
  return one.length !== other.length
}
