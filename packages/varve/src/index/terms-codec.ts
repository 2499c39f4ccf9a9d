import { type Role, roles } from '../messages/message.ts'
import type { AnalysedText } from './analyse.ts'

/**
 * How a message's terms are stored: one blob, so that loading a segment neither analyses nor makes strings.
 * Layout, all numbers as LEB128: format (1), role (place in `roles`), language, speaker's name, length in words,
 * number of terms, then per term its count and its bytes. Strings are a byte length and UTF-8.
 */
export interface StoredTerms {
  readonly role: Role
  readonly language: string
  readonly name: string
  readonly text: AnalysedText
}

export const termsFormat = 1

const encoder = new TextEncoder()
const decoder = new TextDecoder()
let scratch = new Uint8Array(64 * 1024)

export function encodeTerms(stored: StoredTerms): Uint8Array {
  let at = 0
  const number = (value: number): void => {
    if (at + 10 > scratch.length) scratch = grown(scratch, at + 10)
    let rest = value
    while (rest > 127) {
      scratch[at++] = (rest & 127) | 128
      rest = Math.floor(rest / 128)
    }
    scratch[at++] = rest
  }
  const string = (value: string): void => {
    const bytes = encoder.encode(value)
    number(bytes.length)
    if (at + bytes.length > scratch.length) scratch = grown(scratch, at + bytes.length)
    scratch.set(bytes, at)
    at += bytes.length
  }
  number(termsFormat)
  number(roles.indexOf(stored.role))
  string(stored.language)
  string(stored.name)
  number(stored.text.length)
  number(stored.text.terms.size)
  for (const [term, count] of stored.text.terms) {
    number(count)
    string(term)
  }
  return scratch.slice(0, at)
}

function grown(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
  larger.set(bytes)
  return larger
}

/** Walks a stored blob. A cursor instead of an object per term: a cold load reads millions of them. */
export class TermsReader {
  bytes: Uint8Array = new Uint8Array(0)
  at = 0

  open(bytes: Uint8Array): void {
    this.bytes = bytes
    this.at = 0
    const format = this.number()
    if (format !== termsFormat) throw new RangeError(`terms of format ${format}, where ${termsFormat} is known`)
  }

  number(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) throw new RangeError('terms end in the middle of a number')
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }

  /** A string's place, [from, to) in `bytes`; the cursor moves past it. */
  skip(): { from: number; to: number } {
    const length = this.number()
    const from = this.at
    this.at += length
    return { from, to: this.at }
  }

  string(): string {
    const { from, to } = this.skip()
    return from === to ? '' : decoder.decode(this.bytes.subarray(from, to))
  }
}
