/** The bits of a filter, one for each value of a hash's upper half: 8 KB. Of a context's hashes some 3 % are set. */
const filterBits = 65_536

/** Hashes of one text, in a third of a Set's memory. A filter answers for most hashes that are not among them. */
export class KeptHashes {
  readonly #filter = new Uint8Array(filterBits / 8)
  readonly #sorted: Uint32Array

  constructor(hashes: Uint32Array) {
    this.#sorted = hashes.toSorted()
    for (const hash of hashes) this.#filter[hash >>> 19] = (this.#filter[hash >>> 19] ?? 0) | (1 << ((hash >>> 16) & 7))
  }

  has(hash: number): boolean {
    if (((this.#filter[hash >>> 19] ?? 0) & (1 << ((hash >>> 16) & 7))) === 0) return false
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle] ?? 0) < hash) low = middle + 1
      else high = middle
    }
    return this.#sorted[low] === hash
  }
}
