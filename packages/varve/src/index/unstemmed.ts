import { TermDictionary } from './dictionary.ts'
import { stem } from './stem.ts'
import type { TermsReader } from './terms-codec.ts'
import { type Word, wordsOf } from './words.ts'

/** The most terms that are stemmed for questions: 10 to 60 ms a language in all. A question takes those of its letters. */
const mostTerms = 1_000

/** Memory of a term in some languages, and of a message with its terms, beside the dictionary. */
const bytesPerTerm = 150
const bytesPerMessage = 100

/** Few segments have any such term. */
const firstRoom = 16

/** Languages whose stemmers change the beginning of a word: all terms are stemmed. */
const changesBeginnings: ReadonlySet<string> = new Set(['ga', 'tr'])

/** The place of terms of all letters. */
const anyLetter = ''

/**
 * The terms of messages whose language was unknown. They were stored as they were said, so a question's stem finds none of
 * them. Their stems are made in the languages of a question when it first asks for their letter.
 */
export class Unstemmed {
  readonly #terms = new TermDictionary(firstRoom)
  /** The messages of each term that still have it. */
  readonly #uses: number[] = []
  #unused = 0
  /** The terms of each message, while there is room for more terms. */
  readonly #ofMessages = new Map<number, readonly number[]>()
  readonly #byLetter = new Map<string, number[]>()
  readonly #forms = new Map<string, { readonly byStem: Map<string, number[]>; seen: number }>()
  #sorted = 0
  #isWorn = false

  get bytes(): number {
    return this.#terms.bytes + this.#terms.size * bytesPerTerm + this.#ofMessages.size * bytesPerMessage
  }

  /** True when a load would find other terms: the bound kept some out for others that are gone. */
  get isWorn(): boolean {
    return this.#isWorn
  }

  get #isFull(): boolean {
    return this.#terms.size >= mostTerms
  }

  /** Adds the terms of a message, which begin at the reader's cursor, and leaves the cursor there. */
  add(message: number, reader: TermsReader): void {
    const { at } = reader
    const ids: number[] = []
    for (let left = reader.number(); left > 0 && !this.#isFull; left -= 1) {
      reader.number()
      ids.push(this.#use(reader.intern(this.#terms)))
    }
    reader.at = at
    this.#ofMessages.set(message, ids)
    if (!this.#isFull) return
    this.#ofMessages.clear()
    this.#isWorn ||= this.#unused > 0
  }

  /** Takes a message out. */
  remove(message: number): void {
    this.#isWorn ||= this.#isFull
    for (const id of this.#ofMessages.get(message) ?? []) {
      const uses = (this.#uses[id] ?? 1) - 1
      this.#uses[id] = uses
      if (uses === 0) this.#unused += 1
    }
    this.#ofMessages.delete(message)
  }

  /** Returns the terms that have a stem in a language. */
  formsOf(stemmed: string, language: string): readonly string[] {
    this.#sort()
    const letter = changesBeginnings.has(language) ? anyLetter : letterOf(wordsOf(stemmed)[0])
    const ids = this.#byLetter.get(letter) ?? []
    if (ids.length === 0) return []
    const place = `${language} ${letter}`
    const known = this.#forms.get(place) ?? { byStem: new Map<string, number[]>(), seen: 0 }
    this.#forms.set(place, known)
    for (; known.seen < ids.length; known.seen += 1) {
      const id = ids[known.seen] ?? 0
      const [word] = wordsOf(this.#terms.term(id))
      if (word === undefined) continue
      const its = stem(word, language)
      known.byStem.set(its, [...(known.byStem.get(its) ?? []), id])
    }
    return (known.byStem.get(stemmed) ?? []).filter((id) => this.#uses[id] !== 0).map((id) => this.#terms.term(id))
  }

  #use(id: number): number {
    const uses = this.#uses[id]
    this.#uses[id] = (uses ?? 0) + 1
    if (uses === 0) this.#unused -= 1
    return id
  }

  /** Puts the new terms to their letters. */
  #sort(): void {
    for (; this.#sorted < this.#terms.size; this.#sorted += 1) {
      for (const letter of [letterOf(wordsOf(this.#terms.term(this.#sorted))[0]), anyLetter]) {
        const ids = this.#byLetter.get(letter)
        if (ids === undefined) this.#byLetter.set(letter, [this.#sorted])
        else ids.push(this.#sorted)
      }
    }
  }
}

/** Gives the letter that a word shares with its stem. The stemmer of Arabic script takes articles off. */
function letterOf(word: Word | undefined): string {
  if (word === undefined || word.script === 'arabic') return word?.script ?? anyLetter
  return word.text.normalize('NFD').slice(0, 1)
}
