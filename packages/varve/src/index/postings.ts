/** The messages that have a term, in the order of their ordinals, with the term's count in each (at most 255). */
export class Postings {
  docs: Int32Array
  counts: Uint8Array
  size = 1

  /** Most terms are in one message, so room for two is enough to begin with. */
  constructor(doc: number, count: number) {
    this.docs = new Int32Array(2)
    this.counts = new Uint8Array(2)
    this.docs[0] = doc
    this.counts[0] = Math.min(count, 255)
  }

  add(doc: number, count: number): void {
    if (this.size === this.docs.length) {
      const docs = new Int32Array(Math.max(4, this.docs.length * 2))
      docs.set(this.docs)
      this.docs = docs
      const counts = new Uint8Array(docs.length)
      counts.set(this.counts)
      this.counts = counts
    }
    this.docs[this.size] = doc
    this.counts[this.size] = Math.min(count, 255)
    this.size += 1
  }

  /** Whether a message has the term, by halving. A replaced message is numbered anew, so the order always holds. */
  has(doc: number): boolean {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.docs[middle] ?? 0) < doc) low = middle + 1
      else high = middle
    }
    return low < this.size && this.docs[low] === doc
  }

  /** Takes messages out; what is left keeps its order. */
  remove(dead: Uint8Array): void {
    let kept = 0
    for (let at = 0; at < this.size; at += 1) {
      const doc = this.docs[at] ?? 0
      if (dead[doc] === 1) continue
      this.docs[kept] = doc
      this.counts[kept] = this.counts[at] ?? 0
      kept += 1
    }
    this.size = kept
  }
}
