/** The requested runtime: `auto` takes the faster one that works. */
export type RuntimePreference = 'auto' | 'wasm' | 'native'

/** A runtime of the model's layers, in a thread. */
export interface Runtime {
  readonly kind: 'native' | 'wasm'
  /** Its exact name, for `doctor`. */
  readonly detail: string
  /** Returns a vector of any length for each text's ids, in their order. */
  embed(batch: readonly Int32Array[]): Promise<readonly Float32Array[]>
}
