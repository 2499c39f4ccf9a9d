const encoder = new TextEncoder()

/** The first bytes of a term that are compared. Words of one family share their first five letters (relatives.ts). */
const compared = 4

/** The room for the hashes of beginnings. */
const room = 2 ** 14

/**
 * The beginnings of the terms that a question needs: its own, and those of one family with them. A few others begin
 * alike. A term is in it or not, in every message.
 */
export class WantedTerms {
  /** By first byte: 1 where a wanted term begins so. Most terms end here. */
  readonly isFirst = new Uint8Array(256)
  readonly #isBeginning = new Uint8Array(room)

  constructor(terms: readonly string[]) {
    for (const bytes of terms.map((term) => encoder.encode(term))) {
      this.isFirst[bytes[0] ?? 0] = 1
      this.#isBeginning[beginning(bytes, 0, bytes.length)] = 1
    }
  }

  has(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#isBeginning[beginning(bytes, from, to)] === 1
  }
}

function beginning(bytes: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, from + compared)
  let value = 0
  for (let at = from; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193)
  return (value ^ (value >>> 16)) & (room - 1)
}
