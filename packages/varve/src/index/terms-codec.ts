import { type Role, roles } from '../messages/message.ts'
import type { AnalysedText } from './analyse.ts'
import type { TermDictionary } from './dictionary.ts'

/**
 * A message's terms as they are stored: one blob, so that loading a segment neither analyses text nor makes strings.
 *
 * All numbers are LEB128 of the number plus one, so there is no zero byte. The order is: format, role (place in
 * `roles`), language, speaker's name, length in words, number of terms. Then each term has its count and its bytes.
 * Strings are a byte length and UTF-8.
 */
export interface StoredTerms {
  /** The role of its words (messages/spoken-as.ts). */
  readonly role: Role
  readonly language: string
  readonly name: string
  readonly text: AnalysedText
}

export const termsFormat = 1

/** The longest term in bytes is four times its longest in UTF-16 code units, and a number takes ten at most. */
const mostBytesPerEntry = 64 * 4 + 20

const encoder = new TextEncoder()

class TermsWriter {
  #bytes = new Uint8Array(64 * 1024)
  #at = 0

  /** Begins a new blob in the same buffer. */
  open(): void {
    this.#at = 0
  }

  number(value: number): void {
    this.#reserve(mostBytesPerEntry)
    let rest = value + 1
    while (rest > 127) {
      this.#bytes[this.#at++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#at++] = rest
  }

  /** Writes a string. Nearly all terms are ASCII: those need no encoder, which costs more than the term. */
  string(value: string): void {
    this.#reserve(mostBytesPerEntry + value.length * 4)
    const start = this.#at
    if (value.length < 127) {
      this.#bytes[this.#at++] = value.length + 1
      for (let at = 0; at < value.length; at += 1) {
        const unit = value.charCodeAt(at)
        if (unit > 127) {
          this.#at = start
          this.#wide(value)
          return
        }
        this.#bytes[this.#at++] = unit
      }
    } else this.#wide(value)
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#at)
  }

  #wide(value: string): void {
    const encoded = encoder.encode(value)
    this.number(encoded.length)
    this.#bytes.set(encoded, this.#at)
    this.#at += encoded.length
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + bytes))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

const writer = new TermsWriter()

export function encodeTerms(stored: StoredTerms): Uint8Array {
  writer.open()
  writer.number(termsFormat)
  writer.number(roles.indexOf(stored.role))
  writer.string(stored.language)
  writer.string(stored.name)
  writer.number(stored.text.length)
  writer.number(stored.text.terms.size)
  for (const [term, count] of stored.text.terms) {
    writer.number(count)
    writer.string(term)
  }
  return writer.take()
}

/** Reads a stored blob. A cursor instead of an object a term: a cold load reads millions of them. */
export class TermsReader {
  bytes: Uint8Array = new Uint8Array(0)
  at = 0

  open(bytes: Uint8Array, from = 0): void {
    this.bytes = bytes
    this.at = from
    const format = this.number()
    if (format !== termsFormat) throw new RangeError(`terms of format ${format}, where ${termsFormat} is known`)
  }

  number(): number {
    const first = this.bytes[this.at++]
    if (first !== undefined && first < 128) return first - 1
    this.at -= 1
    return this.#long()
  }

  #long(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) throw new RangeError('terms end in the middle of a number')
      value += (byte & 127) * scale
      if (byte < 128) return value - 1
      scale *= 128
    }
  }

  /** Returns the dictionary's number for the string at the cursor; an unknown string gets a new one. */
  intern(dictionary: TermDictionary): number {
    const length = this.number()
    const from = this.at
    this.at += length
    return dictionary.intern(this.bytes, from, this.at)
  }
}

/** Returns the language (ISO 639-1) of stored terms from their first bytes; '' where there are none. */
export function languageOfTerms(beginning: Uint8Array | null): string {
  if (beginning === null || beginning.length === 0) return ''
  const reader = new TermsReader()
  reader.open(beginning)
  reader.number()
  const length = reader.number()
  return new TextDecoder().decode(beginning.subarray(reader.at, reader.at + length))
}

/** Reads stored terms as text: each with its count, and the length in words. */
export function readTerms(bytes: Uint8Array): { readonly terms: [string, number][]; readonly length: number } {
  const reader = new TermsReader()
  reader.open(bytes)
  reader.number()
  for (let strings = 0; strings < 2; strings += 1) {
    const size = reader.number()
    reader.at += size
  }
  const length = reader.number()
  const decoder = new TextDecoder()
  const terms = Array.from({ length: reader.number() }, (): [string, number] => {
    const count = reader.number()
    const size = reader.number()
    const from = reader.at
    reader.at += size
    return [decoder.decode(bytes.subarray(from, from + size)), count]
  })
  return { terms, length }
}
