import { TermDictionary } from './dictionary.ts'
import { Postings } from './postings.ts'
import { Relatives } from './relatives.ts'
import type { TermsReader } from './terms-codec.ts'
import { UnreadTerms } from './unread-terms.ts'
import { WantedTerms } from './wanted-terms.ts'

/** Terms, and the messages that have them. */
export interface IndexedWords {
  readonly terms: TermDictionary
  readonly relatives: Relatives
  readonly postings: Postings
}

/** The words that a question asks for. */
type Asked = readonly { readonly variants: readonly string[] }[]

/**
 * The words of a segment's messages. The first question reads its own terms alone: most processes that ask once are short,
 * and a person waits for them. The next question reads all terms; from then on new messages are read as they come.
 */
export class SegmentWords {
  /** The initial room for terms, a power of two. */
  readonly #room: number
  #indexed: IndexedWords
  /** Undefined after all terms were read. */
  #unread: UnreadTerms | undefined = new UnreadTerms()
  #isAsked = false
  /** The terms of the first question, while no message came after it. */
  #first: ReadonlySet<string> | undefined

  constructor(room: number) {
    this.#room = room
    this.#indexed = noWords(room)
  }

  /** Memory, in bytes. */
  get bytes(): number {
    const { terms, relatives, postings } = this.#indexed
    return terms.bytes + relatives.bytes + postings.bytes + (this.#unread?.bytes ?? 0)
  }

  /** Adds a message, whose terms begin at the reader's cursor. */
  add(doc: number, reader: TermsReader): void {
    if (this.#unread !== undefined) {
      this.#unread.add(doc, reader.bytes, reader.at)
      this.#first = undefined
      return
    }
    const { terms, postings } = this.#indexed
    for (let left = reader.number(); left > 0; left -= 1) {
      const count = reader.number()
      postings.add(reader.intern(terms), doc, count)
    }
  }

  /** Sorts new entries when they are many. */
  settle(): void {
    const { terms, postings } = this.#indexed
    if (this.#unread === undefined) postings.settle(terms.size)
  }

  /** Takes messages out. */
  remove(dead: Uint8Array): void {
    const { terms, postings } = this.#indexed
    postings.remove(dead, terms.size)
  }

  /** Gives the words with at least those that a question asks for, and the words of one family with them. */
  for(asked: Asked, dead: Uint8Array): IndexedWords {
    const terms = asked.flatMap(({ variants }) => variants)
    if (this.#unread === undefined || terms.every((term) => this.#first?.has(term))) return this.#indexed
    const wanted = this.#isAsked ? undefined : new WantedTerms(terms)
    // A failure leaves the words as they were.
    const indexed = noWords(this.#room)
    this.#unread.readInto(indexed, dead, wanted)
    this.#indexed = indexed
    this.#isAsked = true
    this.#first = wanted === undefined ? undefined : new Set(terms)
    if (wanted === undefined) this.#unread = undefined
    return indexed
  }
}

function noWords(room: number): IndexedWords {
  const terms = new TermDictionary(room)
  return { terms, relatives: new Relatives(terms), postings: new Postings() }
}
