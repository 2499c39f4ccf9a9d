/** Layers as bits: which are on, which a session was read for, which are to be written again. `shared` is the project's own bank. */
export const layerBits = { gists: 1, bank: 2, shared: 4, facts: 8, documents: 16, notes: 32 } as const

export type Layer = keyof typeof layerBits

/** Bits of layers that are wanted once, whether they are on or not, stand so many places higher beside those that are on. */
export const onceShift = 8

/** Layers for which spans of messages are read. Notes have times of their own (notes/due.ts). */
export type DistilledLayer = Exclude<Layer, 'notes'>

const distilledLayers: readonly DistilledLayer[] = ['gists', 'bank', 'shared', 'facts', 'documents']

/** Layers that can be switched on and off. */
export const switchedLayers = ['gists', 'bank', 'facts', 'documents', 'notes'] as const satisfies readonly Layer[]

/** The layers of a set of bits for which spans are read, in the order of `layerBits`. */
export function layersIn(bits: number): DistilledLayer[] {
  return distilledLayers.filter((layer) => (bits & layerBits[layer]) !== 0)
}

/** All layers of a set of bits. */
export function allLayersIn(bits: number): Layer[] {
  return [...layersIn(bits), ...((bits & layerBits.notes) === 0 ? [] : ['notes' as const])]
}

/** The bits of some layers. */
export function bitsOf(layers: Iterable<Layer>): number {
  let bits = 0
  for (const layer of layers) bits |= layerBits[layer]
  return bits
}

/** Which layers somebody's settings name, and which of them they switch on, as bits. */
export function layersSet(layers: unknown): { set: number; on: number } {
  if (typeof layers !== 'object' || layers === null) return { set: 0, on: 0 }
  const named = switchedLayers.filter((layer) => Object.hasOwn(layers, layer))
  return { set: bitsOf(named), on: bitsOf(named.filter((layer) => Reflect.get(layers, layer) === true)) }
}
