import { isStopword } from '../index/query.ts'
import { type Word, wordsOf } from '../index/words.ts'
import type { SourceMessage } from '../models/writer.ts'
import { folded } from './folded.ts'
import { Grounding } from './grounding.ts'
import { spelledNumbers } from './spelled-numbers.ts'

/** The letters by which a word is known in all of its forms: "sails" counts as said where somebody is sailing. */
const knownBy = 4

/** A number below ten that stands by itself. The grounding checks larger ones. */
const smallNumber = /(?<![\p{Nd}.,:'/-])\p{Nd}(?![\p{Nd}]|[.,:'/-]\p{Nd})/gu

const capital = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}'’]*/gu

/** The most of a speaker's name that is read. */
const longestName = 200

/** The words of one message, to check whether something was said in it. */
export class SaidWords {
  readonly #seq: number
  readonly #grounding: Grounding
  readonly #words: ReadonlySet<string>
  readonly #stems: ReadonlySet<string>
  readonly #speaker: ReadonlySet<string>
  readonly #line: string
  readonly #numbers: ReadonlySet<string>

  constructor({ seq, text, name, at }: SourceMessage) {
    const words = wordsOf(text).map((word) => word.text)
    const read = folded(text)
    this.#seq = seq
    this.#grounding = new Grounding([{ number: seq, text, head: (name ?? '').slice(0, longestName), at, isPersons: true }])
    this.#words = new Set(words)
    this.#stems = new Set(words.map((word) => word.slice(0, knownBy)))
    this.#speaker = new Set(wordsOf((name ?? '').slice(0, longestName)).map((word) => word.text))
    this.#line = ` ${words.join(' ')} `
    this.#numbers = new Set([...(read.match(/\p{Nd}+/gu) ?? []), ...spelledNumbers(read), ...(/\ban? /.test(read) ? ['1'] : [])])
  }

  /** Tells whether the names, numbers, identifiers and addresses of a field were said. */
  holdsExact(given: string): boolean {
    const field = this.#grounding.withoutTold(given, this.#seq)
    const read = folded(field)
    const numbers = [...(read.match(smallNumber) ?? []), ...spelledNumbers(read)]
    if (!numbers.every((number) => this.#numbers.has(number)) || !(field.match(capital) ?? []).every((name) => this.#holdsName(name)))
      return false
    return this.#grounding.cite(`of ${field}`, [this.#seq]) !== undefined
  }

  /**
   * Tells whether a capitalised word was said, in any form. One message is too short to tell whether its language
   * writes nouns with capitals.
   */
  #holdsName(name: string): boolean {
    return wordsOf(name).every(({ text }) => this.#holdsForm(text))
  }

  #holdsForm(text: string): boolean {
    if (this.#holdsWhole(text) || this.#speaker.has(text)) return true
    const stem = text.slice(0, Math.max(knownBy, text.length - 3))
    return text.length > knownBy && [...this.#words].some((word) => word.startsWith(stem) && Math.abs(word.length - text.length) <= 3)
  }

  /** Lists the words of a field that carry meaning and were not said in any form. */
  lacks(field: string): readonly string[] {
    return wordsOf(field)
      .filter((word) => carries(word) && !this.#holdsForm(word.text))
      .map(({ text }) => text)
  }

  /**
   * Tells whether a word of a field that carries meaning was said. A field without such words must have been said
   * whole, in its order.
   */
  holdsContent(field: string): boolean {
    const words = wordsOf(field)
    const content = words.filter(carries)
    return content.length === 0
      ? words.length > 0 && this.#line.includes(` ${words.map(({ text }) => text).join(' ')} `)
      : content.some((word) => this.#holds(word.text))
  }

  /** Tells whether all words of a field were said, in any form. */
  holdsAll(field: string): boolean {
    const words = wordsOf(field)
    return words.length > 0 && words.every(({ text }) => this.#holds(text))
  }

  /** Tells whether a long word of a predicate was said. Stop words count, for many verbs are among them. */
  holdsVerb(predicate: string): boolean {
    return wordsOf(predicate).some(({ text }) => text.length >= knownBy && this.#holds(text))
  }

  #holds(word: string): boolean {
    return this.#holdsWhole(word) || (word.length >= knownBy && this.#stems.has(word.slice(0, knownBy)))
  }

  #holdsWhole(word: string): boolean {
    if ([word, `${word}s`, word.replace(/'s$|s$/, '')].some((form) => this.#words.has(form))) return true
    // "three" was said where "3" was, and the other way round.
    return (/^\p{Nd}+$/u.test(word) ? [folded(word)] : spelledNumbers(word)).some((number) => this.#numbers.has(number))
  }
}

function carries({ text, script }: Word): boolean {
  // Scripts without blanks are cut into single characters and pairs: a pair carries something.
  if (script === 'spaceless') return text.length >= 2
  return /\p{N}/u.test(text) || spelledNumbers(text).length > 0 || (text.length >= 3 && !isStopword(text, 'en'))
}
