/** The floats of a token between two layers, and between the two halves of one. */
export const tokenWidth = 384
export const wide = 4 * tokenWidth

/** Addresses of one linear layer in the kernels' memory. */
export interface Linear {
  readonly inputs: number
  readonly channels: number
  readonly weights: number
  readonly sums: number
  readonly scales: number
  readonly biases: number
}

export interface Normalisation {
  readonly gamma: number
  readonly beta: number
}

export interface LayerWeights {
  readonly attention: Linear
  readonly project: Linear
  readonly projected: Normalisation
  readonly widen: Linear
  readonly narrow: Linear
  readonly narrowed: Normalisation
}

export interface Weights {
  /** The number of token ids. */
  readonly vocabulary: number
  /** The most tokens of a text. */
  readonly places: number
  readonly words: number
  readonly wordScales: number
  readonly positions: number
  readonly embedded: Normalisation
  readonly layers: readonly LayerWeights[]
}
