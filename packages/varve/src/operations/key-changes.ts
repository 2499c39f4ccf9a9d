/** Tells those who keep keys in memory that a key may have ended. */
export class KeyChanges {
  readonly #listeners = new Set<() => void>()

  /** Calls back at every change. Returns a function that ends this. */
  listen(told: () => void): () => void {
    this.#listeners.add(told)
    return () => this.#listeners.delete(told)
  }

  tell(): void {
    for (const told of this.#listeners) told()
  }
}
