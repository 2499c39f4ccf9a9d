const encoder = new TextEncoder()

/** The first bytes of a term that are compared. Words of one family share their first five letters (relatives.ts). */
const compared = 4

/** By the size of a term in bytes, at most four: the bits that are the term's in a number of four bytes. */
const bitsOf = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1)

/** The room for the hashes of beginnings, in bits. */
const room = 14

/**
 * The beginnings of the terms that a question needs: its own, and those of one family with them. A few others begin
 * alike. A term is in it or not, in every message.
 */
export class WantedTerms {
  /** By first byte: 1 where a wanted term begins so. Most terms end here. */
  readonly isFirst = new Uint8Array(256)
  readonly #isBeginning = new Uint8Array(2 ** room)

  constructor(terms: readonly string[]) {
    for (const bytes of terms.map((term) => encoder.encode(term))) {
      this.isFirst[bytes[0] ?? 0] = 1
      this.#isBeginning[slotOf(numberAt(viewOf(bytes), 0, bytes.length))] = 1
    }
  }

  /** Tells whether the term at a place may be wanted. It reads four bytes at once: a first question runs code that is not optimised. */
  has(view: DataView, from: number, size: number): boolean {
    const value =
      from + compared > view.byteLength
        ? numberAt(view, from, size)
        : view.getInt32(from, true) & (bitsOf[size > compared ? compared : size] ?? 0)
    return this.#isBeginning[slotOf(value)] === 1
  }
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Returns the first bytes of a term as a number, where a page may end before four of them. */
function numberAt(view: DataView, from: number, size: number): number {
  let value = 0
  for (let at = Math.min(from + Math.min(size, compared), view.byteLength) - 1; at >= from; at -= 1)
    value = (value << 8) | view.getUint8(at)
  return value
}

function slotOf(value: number): number {
  return Math.imul(value, 0x9e3779b1) >>> (32 - room)
}
