import type { TermDictionary } from './dictionary.ts'
import type { Postings } from './postings.ts'
import { TermsReader } from './terms-codec.ts'
import { viewOf, type WantedTerms } from './wanted-terms.ts'

/** The stored bytes for an entry of the postings: 7.5 was measured. */
const bytesPerEntry = 7

/** Memory of a message's place in its page, in bytes. */
const bytesPerPlace = 8

/** Messages that follow each other, whose terms stand in the same bytes. */
interface Page {
  readonly bodies: Uint8Array
  readonly first: number
  /** The place of each message's terms. */
  readonly places: number[]
}

/** Stored terms of messages that nothing has read yet, page by page. */
export class UnreadTerms {
  readonly #pages: Page[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Adds a message: the next one after the last. */
  add(doc: number, bodies: Uint8Array, at: number): void {
    let page = this.#pages.at(-1)
    if (page?.bodies !== bodies) {
      page = { bodies, first: doc, places: [] }
      this.#pages.push(page)
      this.#bytes += bodies.length
    }
    page.places.push(at)
    this.#bytes += bytesPerPlace
  }

  /** Reads the terms of the living messages; with `wanted`, those terms alone. */
  readInto({ terms, postings }: Into, dead: Uint8Array, wanted?: WantedTerms): void {
    if (wanted === undefined) postings.reserve(this.#bytes / bytesPerEntry)
    for (const { bodies, first, places } of this.#pages) {
      const page = { bodies, view: viewOf(bodies) }
      for (let index = 0; index < places.length; index += 1) {
        const doc = first + index
        const place = places[index] ?? 0
        if (dead[doc] === 1) continue
        if (wanted === undefined) readAll(bodies, place, doc, terms, postings)
        else readWanted(page, place, doc, wanted, { terms, postings })
      }
    }
    postings.sort(terms.size)
  }
}

/** The bytes of a page. */
interface Bodies {
  readonly bodies: Uint8Array
  readonly view: DataView
}

const reader = new TermsReader()

function readAll(bodies: Uint8Array, place: number, doc: number, terms: TermDictionary, postings: Postings): void {
  reader.bytes = bodies
  reader.at = place
  for (let left = reader.number(); left > 0; left -= 1) {
    const count = reader.number()
    postings.add(reader.intern(terms), doc, count)
  }
}

interface Into {
  readonly terms: TermDictionary
  readonly postings: Postings
}

/** Reads the wanted terms of a message. Numbers below 127 are one byte and read in place: calls would take twice as long. */
function readWanted({ bodies, view }: Bodies, place: number, doc: number, wanted: WantedTerms, { terms, postings }: Into): void {
  const { isFirst } = wanted
  reader.bytes = bodies
  reader.at = place
  let left = reader.number()
  let at = reader.at
  for (; left > 0; left -= 1) {
    let count = (bodies[at] ?? 0) - 1
    let size = (bodies[at + 1] ?? 0) - 1
    at += 2
    if (count > 126 || size > 126) {
      reader.at = at - 2
      count = reader.number()
      size = reader.number()
      at = reader.at
    }
    if (isFirst[bodies[at] ?? 0] === 1 && wanted.has(view, at, size)) postings.add(terms.intern(bodies, at, at + size), doc, count)
    at += size
  }
  if (at > bodies.length) throw new RangeError('terms end in the middle of a term')
}
