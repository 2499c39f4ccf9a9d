/** Hands out addresses one after another, each on a cache line of its own. The memory is made later, when its size is known. */
export class Arena {
  #end = 0

  /** Bytes handed out so far. */
  get bytes(): number {
    return this.#end
  }

  take(bytes: number): number {
    const at = this.#end
    this.#end = (at + bytes + 63) & -64
    return at
  }
}
