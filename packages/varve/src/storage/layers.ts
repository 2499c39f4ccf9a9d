/** The facts about a layer that the store's programs need. Its prompts, checks, writers and views stand in its record (layers/). */
export interface LayerBasis {
  /** Its bit in a set of layers: the layers that are on, that a session was read for, or that are to be written again. */
  readonly bit: number
  /** The default where neither a project nor a session sets it; absent for a layer without a switch. */
  readonly usual?: boolean
  /** True when spans of messages are read for it. Other layers have times of their own, as notes do (notes/due.ts). */
  readonly readsSpans: boolean
  /** True when a project's members share it, and it stands in the project's partition. */
  readonly isShared: boolean
  /** True when a message is read for it once. Other layers make the whole part anew when it grows. */
  readonly isReadOnce: boolean
}

/** An owner's own layer that is made anew from spans. */
const ofSpans = { readsSpans: true, isShared: false, isReadOnce: false } as const

/** All layers, in the order of their bits. A docstring here is the docstring of the switch in the public options. */
export const layerBases = {
  /** One paragraph about each session. Default true. */
  gists: { ...ofSpans, bit: 1, usual: true },
  /** The user's own bank: conversations by day, week, month and year. Default false. */
  bank: { ...ofSpans, bit: 2, usual: false },
  /** The project's bank. Its switch is the project's sharing. */
  shared: { ...ofSpans, bit: 4, isShared: true },
  /** Facts: subject, predicate, object, validity and sources. Default true. */
  facts: { ...ofSpans, bit: 8, usual: true },
  /** Markdown pages of knowledge, made from messages of persons. Default false. */
  documents: { ...ofSpans, bit: 16, usual: false, isReadOnce: true },
  /** One page that follows each running session. Default false. */
  notes: { ...ofSpans, bit: 32, usual: false, readsSpans: false },
  /** Standing instructions: what the user wants done from now on. Default true. */
  instructions: { ...ofSpans, bit: 64, usual: true },
} as const satisfies Readonly<Record<string, LayerBasis>>

type Bases = typeof layerBases
export type Layer = keyof Bases

/** Layers for which spans of messages are read. */
export type DistilledLayer = { [Name in Layer]: Bases[Name]['readsSpans'] extends true ? Name : never }[Layer]

/** Layers that can be switched on and off. */
export type SwitchedLayer = { [Name in Layer]: Bases[Name] extends { readonly usual: boolean } ? Name : never }[Layer]

/** For each layer with a switch: on or off, or another value that `Value` allows. */
export type Switches<Value> = { readonly [Name in keyof Bases as Name extends SwitchedLayer ? Name : never]?: Value }

/** Switches of the layers. A layer that is left out keeps its default. */
export type LayerOptions = Switches<boolean>

/** All layers, in the order of their bits. */
export const allLayers: readonly Layer[] = Object.keys(layerBases).filter(isLayer)

/** Layers for which spans are read, in the order of their bits. */
export const distilledLayers: readonly DistilledLayer[] = allLayers.filter(isDistilled)

/** Layers that can be switched on and off. */
export const switchedLayers: readonly SwitchedLayer[] = allLayers.filter(isSwitched)

const ofLayers = (is: (basis: LayerBasis) => boolean): number => bitsOf(allLayers.filter((layer) => is(layerBases[layer])))

/** Bits of an owner's own layers for which spans are read. */
export const privateBits = ofLayers(({ readsSpans, isShared }) => readsSpans && !isShared)

/** Bits of the layers that a project's members have together. */
export const sharedBits = ofLayers(({ isShared }) => isShared)

/** Bits of the layers that are made anew of a whole part. */
export const remadeBits = ofLayers(({ readsSpans, isReadOnce }) => readsSpans && !isReadOnce)

/** The shift of the bits of layers that are wanted once, on or off. They stand above the bits of layers that are on. */
export const onceShift = 8

export function bitOf(layer: Layer): number {
  return layerBases[layer].bit
}

/** Returns the layers of a set of bits for which spans are read, in the order of their bits. */
export function layersIn(bits: number): DistilledLayer[] {
  return distilledLayers.filter((layer) => (bits & bitOf(layer)) !== 0)
}

/** Returns all layers of a set of bits. */
export function allLayersIn(bits: number): Layer[] {
  return allLayers.filter((layer) => (bits & bitOf(layer)) !== 0)
}

/** Returns the bits of some layers. */
export function bitsOf(layers: Iterable<Layer>): number {
  let bits = 0
  for (const layer of layers) bits |= bitOf(layer)
  return bits
}

/** Makes a record with one value for each layer for which spans are read. */
export function perLayer<Value>(value: (layer: DistilledLayer) => Value): Record<DistilledLayer, Value>
export function perLayer(value: (layer: DistilledLayer) => unknown): Record<string, unknown> {
  return Object.fromEntries(distilledLayers.map((layer) => [layer, value(layer)]))
}

/** Returns the layers that some settings name, and those that they switch on, as bits. */
export function layersSet(layers: unknown): { set: number; on: number } {
  if (typeof layers !== 'object' || layers === null) return { set: 0, on: 0 }
  const named = switchedLayers.filter((layer) => Object.hasOwn(layers, layer))
  return { set: bitsOf(named), on: bitsOf(named.filter((layer) => Reflect.get(layers, layer) === true)) }
}

/** Returns the bits of the layers that are on: by the given switches, else by default. */
export function layersOn(given: Switches<boolean>): number {
  return bitsOf(switchedLayers.filter((layer) => given[layer] ?? layerBases[layer].usual))
}

export function isSwitched(name: string): name is SwitchedLayer {
  return isLayer(name) && 'usual' in layerBases[name]
}

function isLayer(name: string): name is Layer {
  return Object.hasOwn(layerBases, name)
}

function isDistilled(layer: Layer): layer is DistilledLayer {
  return layerBases[layer].readsSpans
}
