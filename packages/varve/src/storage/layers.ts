/** Layers as bits: which are on, which a session was read for, which are to be written again. `shared` is the project's own bank. */
export const layerBits = { gists: 1, bank: 2, shared: 4, facts: 8 } as const

export type DistilledLayer = keyof typeof layerBits

/** The layers of a set of bits, in the order of `layerBits`. */
export function layersIn(bits: number): DistilledLayer[] {
  return distilledLayers.filter((layer) => (bits & layerBits[layer]) !== 0)
}

/** The bits of some layers. */
export function bitsOf(layers: Iterable<DistilledLayer>): number {
  let bits = 0
  for (const layer of layers) bits |= layerBits[layer]
  return bits
}

export const distilledLayers: readonly DistilledLayer[] = ['gists', 'bank', 'shared', 'facts']
