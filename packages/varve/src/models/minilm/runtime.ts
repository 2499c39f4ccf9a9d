/** What is asked for: `auto` takes the faster one that works. */
export type RuntimePreference = 'auto' | 'wasm' | 'native'

/** What runs the model's layers in a thread. */
export interface Runtime {
  readonly kind: 'native' | 'wasm'
  /** Which one exactly, for `doctor`. */
  readonly detail: string
  /** A vector for each text's ids, in their order, of any length. */
  embed(batch: readonly Int32Array[]): Promise<readonly Float32Array[]>
}
