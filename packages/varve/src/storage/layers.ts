/** What the store's programs know of a layer. What it asks, checks, writes and shows stands in its record (layers/). */
export interface LayerBasis {
  /** Its bit in a set of layers: which are on, which a session was read for, which are to be written again. */
  readonly bit: number
  /** Whether it is on where neither a project nor a session says so; absent for a layer that has no switch. */
  readonly usual?: boolean
  /** Spans of messages are read for it. A layer without it has times of its own, as notes do (notes/due.ts). */
  readonly readsSpans: boolean
  /** It belongs to a project's members together, and stands in the project's partition. */
  readonly isShared: boolean
  /** A message is read for it once. Other layers are made anew of the whole part when it grows. */
  readonly isReadOnce: boolean
}

/** An owner's own layer that is made anew from spans. */
const ofSpans = { readsSpans: true, isShared: false, isReadOnce: false } as const

/** All layers, in the order of their bits. A docstring here is the docstring of the switch in the public options. */
export const layerBases = {
  /** What each session was about. Default true. */
  gists: { ...ofSpans, bit: 1, usual: true },
  /** The user's own bank: conversations by day, week, month and year. Default false. */
  bank: { ...ofSpans, bit: 2, usual: false },
  /** The project's bank. Its switch is the project's sharing. */
  shared: { ...ofSpans, bit: 4, isShared: true },
  /** What is known: who, what, since when, by whose words. Default true. */
  facts: { ...ofSpans, bit: 8, usual: true },
  /** Markdown pages of knowledge, made from what persons say. Default false. */
  documents: { ...ofSpans, bit: 16, usual: false, isReadOnce: true },
  /** One page that follows each running session. Default false. */
  notes: { ...ofSpans, bit: 32, usual: false, readsSpans: false },
} as const satisfies Readonly<Record<string, LayerBasis>>

type Bases = typeof layerBases
export type Layer = keyof Bases

/** Layers for which spans of messages are read. */
export type DistilledLayer = { [Name in Layer]: Bases[Name]['readsSpans'] extends true ? Name : never }[Layer]

/** Layers that can be switched on and off. */
export type SwitchedLayer = { [Name in Layer]: Bases[Name] extends { readonly usual: boolean } ? Name : never }[Layer]

/** For each layer with a switch: on or off, or what else `Value` allows. */
export type Switches<Value> = { readonly [Name in keyof Bases as Name extends SwitchedLayer ? Name : never]?: Value }

/** The layers that are on, and those that are off. */
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

/** Bits of layers that are wanted once, whether they are on or not, stand so many places higher beside those that are on. */
export const onceShift = 8

export function bitOf(layer: Layer): number {
  return layerBases[layer].bit
}

/** The layers of a set of bits for which spans are read, in the order of their bits. */
export function layersIn(bits: number): DistilledLayer[] {
  return distilledLayers.filter((layer) => (bits & bitOf(layer)) !== 0)
}

/** All layers of a set of bits. */
export function allLayersIn(bits: number): Layer[] {
  return allLayers.filter((layer) => (bits & bitOf(layer)) !== 0)
}

/** The bits of some layers. */
export function bitsOf(layers: Iterable<Layer>): number {
  let bits = 0
  for (const layer of layers) bits |= bitOf(layer)
  return bits
}

/** One value for each layer for which spans are read. */
export function perLayer<Value>(value: (layer: DistilledLayer) => Value): Record<DistilledLayer, Value>
export function perLayer(value: (layer: DistilledLayer) => unknown): Record<string, unknown> {
  return Object.fromEntries(distilledLayers.map((layer) => [layer, value(layer)]))
}

/** Which layers somebody's settings name, and which of them they switch on, as bits. */
export function layersSet(layers: unknown): { set: number; on: number } {
  if (typeof layers !== 'object' || layers === null) return { set: 0, on: 0 }
  const named = switchedLayers.filter((layer) => Object.hasOwn(layers, layer))
  return { set: bitsOf(named), on: bitsOf(named.filter((layer) => Reflect.get(layers, layer) === true)) }
}

/** Bits of the layers that are on: by what is given, else as usual. */
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
