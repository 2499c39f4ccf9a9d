import { TermDictionary } from './dictionary.ts'
import { stem } from './stem.ts'
import type { TermsReader } from './terms-codec.ts'
import { wordsOf } from './words.ts'

/** The most terms that are stemmed for a question: they take some 30 ms a language, once. */
const mostTerms = 1_000

/** Memory of a term in some languages, beside the dictionary. */
const bytesPerTerm = 150

/** Few segments have any such term. */
const firstRoom = 16

/**
 * The terms of messages whose language was unknown. They were stored as they were said, so a question's stem finds none of
 * them. Their stems are made in the languages of a question when it first asks.
 */
export class Unstemmed {
  readonly #terms = new TermDictionary(firstRoom)
  readonly #forms = new Map<string, { readonly byStem: Map<string, string[]>; seen: number }>()

  get bytes(): number {
    return this.#terms.bytes + this.#terms.size * bytesPerTerm
  }

  /** Adds the terms of a message, which begin at the reader's cursor, and leaves the cursor there. */
  add(reader: TermsReader): void {
    const { at } = reader
    for (let left = reader.number(); left > 0 && this.#terms.size < mostTerms; left -= 1) {
      reader.number()
      reader.intern(this.#terms)
    }
    reader.at = at
  }

  /** Returns the terms that have a stem in a language. */
  formsOf(stemmed: string, language: string): readonly string[] {
    const { size } = this.#terms
    if (size === 0) return []
    const known = this.#forms.get(language) ?? { byStem: new Map<string, string[]>(), seen: 0 }
    this.#forms.set(language, known)
    for (; known.seen < size; known.seen += 1) {
      const term = this.#terms.term(known.seen)
      const [word] = wordsOf(term)
      if (word === undefined) continue
      const its = stem(word, language)
      known.byStem.set(its, [...(known.byStem.get(its) ?? []), term])
    }
    return known.byStem.get(stemmed) ?? []
  }
}
