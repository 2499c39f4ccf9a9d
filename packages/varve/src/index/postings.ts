/** A stretch of entries: docs[from, to) with their counts. */
export interface PostingList {
  readonly docs: Int32Array
  readonly counts: Uint8Array
  readonly from: number
  readonly to: number
}

/** Tells by binary search whether a message is in one of the lists. */
export function isListed(lists: readonly PostingList[], doc: number): boolean {
  return lists.some(({ docs, from, to }) => {
    let low = from
    let high = to
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((docs[middle] ?? 0) < doc) low = middle + 1
      else high = middle
    }
    return low < to && docs[low] === doc
  })
}

/** The least number of new entries kept unsorted. A question scans them, so they stay few. */
const leastPending = 4096

/** The initial room for new entries: three or four messages. */
const firstPending = 64

/** Unsorted entries may also come to this share of the sorted ones, so that a large index is sorted less often. */
const pendingShare = 64

/**
 * The messages of each term, and the term's counts there (at most 255). Within a term messages ascend: they are
 * numbered as they come.
 *
 * Entries are sorted by term in three flat arrays, since a pair of arrays a term took ten times the memory. Entries
 * since the last sorting wait unsorted.
 */
export class Postings {
  #starts = new Int32Array(1)
  #docs = new Int32Array(0)
  #counts = new Uint8Array(0)
  #pendingTerms = new Int32Array(firstPending)
  #pendingDocs = new Int32Array(firstPending)
  #pendingCounts = new Uint8Array(firstPending)
  #pending = 0

  get size(): number {
    return this.#docs.length + this.#pending
  }

  /** Memory of the arrays, in bytes. */
  get bytes(): number {
    return this.#starts.byteLength + this.#docs.length * 5 + this.#pendingTerms.length * 9
  }

  add(term: number, doc: number, count: number): void {
    const at = this.#pending
    if (at === this.#pendingTerms.length) this.#widen(at * 2)
    this.#pendingTerms[at] = term
    this.#pendingDocs[at] = doc
    this.#pendingCounts[at] = count < 255 ? count : 255
    this.#pending = at + 1
  }

  /** Makes room for about so many more entries, so that a load does not copy the arrays again and again. */
  reserve(entries: number): void {
    if (entries > this.#pendingTerms.length - this.#pending) this.#widen(this.#pending + Math.ceil(entries))
  }

  /** Sorts the waiting entries when they are many. `terms` is the number of terms. */
  settle(terms: number): void {
    if (this.#pending > Math.max(leastPending, this.#docs.length / pendingShare)) this.sort(terms)
  }

  /** Returns the messages of some terms, ascending: a sorted stretch for each term, then the waiting entries. */
  of(terms: readonly number[]): PostingList[] {
    const lists: PostingList[] = []
    for (const term of terms) {
      const from = this.#starts[term] ?? 0
      const to = this.#starts[term + 1] ?? from
      if (to > from) lists.push({ docs: this.#docs, counts: this.#counts, from, to })
    }
    const waiting = this.#waiting(terms)
    if (waiting !== undefined) lists.push(waiting)
    return lists
  }

  /** Takes messages out; the others keep their order. */
  remove(dead: Uint8Array, terms: number): void {
    this.sort(terms, dead)
  }

  /**
   * Sorts all living entries by term, with a counting sort. Plain loops: a function call for each of two million
   * entries took twice as long.
   */
  sort(terms: number, dead?: Uint8Array): void {
    const starts = new Int32Array(terms + 1)
    this.#count(starts, dead)
    for (let term = 0; term < terms; term += 1) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
    const size = starts[terms] ?? 0
    const docs = new Int32Array(size)
    const counts = new Uint8Array(size)
    this.#place(docs, counts, starts.slice(), dead)
    this.#starts = starts
    this.#docs = docs
    this.#counts = counts
    this.#pending = 0
    this.#pendingTerms = new Int32Array(firstPending)
    this.#pendingDocs = new Int32Array(firstPending)
    this.#pendingCounts = new Uint8Array(firstPending)
  }

  #waiting(terms: readonly number[]): PostingList | undefined {
    if (terms.length === 0 || this.#pending === 0) return undefined
    const isWanted = new Uint8Array(Math.max(...terms) + 1)
    for (const term of terms) isWanted[term] = 1
    const places: number[] = []
    for (let at = 0; at < this.#pending; at += 1) if (isWanted[this.#pendingTerms[at] ?? 0] === 1) places.push(at)
    if (places.length === 0) return undefined
    const docs = Int32Array.from(places, (at) => this.#pendingDocs[at] ?? 0)
    const counts = Uint8Array.from(places, (at) => this.#pendingCounts[at] ?? 0)
    return { docs, counts, from: 0, to: places.length }
  }

  /** Counts the living entries of each term, one place further on. */
  #count(starts: Int32Array, dead: Uint8Array | undefined): void {
    const docs = this.#docs
    for (let term = 0; term < this.#starts.length - 1; term += 1) {
      const to = this.#starts[term + 1] ?? 0
      for (let at = this.#starts[term] ?? 0; at < to; at += 1) {
        if (dead?.[docs[at] ?? 0] !== 1) starts[term + 1] = (starts[term + 1] ?? 0) + 1
      }
    }
    const pendingTerms = this.#pendingTerms
    const pendingDocs = this.#pendingDocs
    for (let at = 0; at < this.#pending; at += 1) {
      const term = pendingTerms[at] ?? 0
      if (dead?.[pendingDocs[at] ?? 0] !== 1) starts[term + 1] = (starts[term + 1] ?? 0) + 1
    }
  }

  /** Writes each living entry at its term's next place. */
  #place(docs: Int32Array, counts: Uint8Array, next: Int32Array, dead: Uint8Array | undefined): void {
    for (let term = 0; term < this.#starts.length - 1; term += 1) {
      const to = this.#starts[term + 1] ?? 0
      let place = next[term] ?? 0
      for (let at = this.#starts[term] ?? 0; at < to; at += 1) {
        const doc = this.#docs[at] ?? 0
        if (dead?.[doc] === 1) continue
        docs[place] = doc
        counts[place] = this.#counts[at] ?? 0
        place += 1
      }
      next[term] = place
    }
    const [pendingTerms, pendingDocs, pendingCounts] = [this.#pendingTerms, this.#pendingDocs, this.#pendingCounts]
    for (let at = 0; at < this.#pending; at += 1) {
      const doc = pendingDocs[at] ?? 0
      if (dead?.[doc] === 1) continue
      const term = pendingTerms[at] ?? 0
      const place = next[term] ?? 0
      next[term] = place + 1
      docs[place] = doc
      counts[place] = pendingCounts[at] ?? 0
    }
  }

  #widen(size: number): void {
    const terms = new Int32Array(size)
    terms.set(this.#pendingTerms.subarray(0, this.#pending))
    this.#pendingTerms = terms
    const docs = new Int32Array(size)
    docs.set(this.#pendingDocs.subarray(0, this.#pending))
    this.#pendingDocs = docs
    const counts = new Uint8Array(size)
    counts.set(this.#pendingCounts.subarray(0, this.#pending))
    this.#pendingCounts = counts
  }
}
