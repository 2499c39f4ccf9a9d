import type { FoundWord } from '../index/score-words.ts'
import { stem } from '../index/stem.ts'
import { type Word, wordsOf } from '../index/words.ts'

/** The letters by which most words of a text are passed over before they are stemmed. */
const firstLetters = 2

/** The most words of texts that are remembered. */
const mostKnown = 20_000

/** The words of a question that tell something, to be looked for in texts. */
export class AskedWords {
  /** The part of the question that each word is; together at most 1. */
  readonly weights: readonly number[]
  readonly #places = new Map<string, number>()
  readonly #beginnings: ReadonlySet<string>
  readonly #languages: readonly string[]
  readonly #known = new Map<string, number | undefined>()

  constructor(words: readonly Pick<FoundWord, 'variants' | 'weight' | 'stop'>[], languages: readonly string[]) {
    const telling = words.filter(({ stop }) => !stop)
    this.weights = telling.map(({ weight }) => weight)
    for (const [place, { variants }] of telling.entries()) for (const variant of variants) this.#places.set(variant, place)
    this.#beginnings = new Set([...this.#places.keys()].map((variant) => variant.slice(0, firstLetters)))
    this.#languages = languages.length === 0 ? [''] : languages
  }

  /** Gives the forms of the word at a place in `weights`, as the index has them: a stem, or the word itself. */
  formsOf(place: number): string[] {
    return [...this.#places].flatMap(([form, at]) => (at === place ? [form] : []))
  }

  /** Returns the places, in `weights`, of the words that a text says; each once. */
  saidIn(text: string): ReadonlySet<number> {
    const said = new Set<number>()
    if (this.#places.size === 0) return said
    for (const word of wordsOf(text)) {
      const place = this.#placeOf(word)
      if (place !== undefined) said.add(place)
    }
    return said
  }

  #placeOf(word: Word): number | undefined {
    if (!this.#beginnings.has(word.text.slice(0, firstLetters))) return undefined
    if (this.#known.has(word.text)) return this.#known.get(word.text)
    const place = this.#places.get(word.text) ?? this.#languages.flatMap((one) => this.#places.get(stem(word, one)) ?? [])[0]
    if (this.#known.size < mostKnown) this.#known.set(word.text, place)
    return place
  }
}
