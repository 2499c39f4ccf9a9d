import { allLayers, type Layer } from '../storage/layers.ts'
import { bank } from './bank.ts'
import { documents } from './documents.ts'
import { facts } from './facts.ts'
import { gists } from './gists.ts'
import { instructions } from './instructions.ts'
import type { ComposedLayer, LayerRecord, ReadLayer } from './layer.ts'
import { notes } from './notes.ts'
import { shared } from './shared.ts'

const records: Readonly<Record<Layer, LayerRecord>> = { gists, bank, shared, facts, documents, notes, instructions }

/** All layers' records, in the order of their bits. */
const layers: readonly LayerRecord[] = allLayers.map((name) => records[name])

/** Gives the layers of a set of bits for which spans are read. */
export function readLayersIn(bits: number): ReadLayer[] {
  return layers.filter(isRead).filter(({ bit }) => (bits & bit) !== 0)
}

/** Gives the layers of a set of bits whose parts are made into items. */
export function composedLayersIn(bits: number): ComposedLayer[] {
  return layers.filter(isComposed).filter(({ bit }) => (bits & bit) !== 0)
}

/** Gives the layer of one bit whose parts are made into items. */
export function composedLayer(bit: number): ComposedLayer {
  const [layer] = composedLayersIn(bit)
  if (layer === undefined) throw new RangeError(`no layer has the bit ${bit}`)
  return layer
}

function isRead(layer: LayerRecord): layer is ReadLayer {
  return layer.reading !== undefined
}

function isComposed(layer: LayerRecord): layer is ComposedLayer {
  return layer.composing !== undefined
}
