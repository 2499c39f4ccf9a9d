import type { Arena } from './arena.ts'
import type { Kernels } from './kernels.ts'
import { blockInputs } from './pack-weights.ts'
import { type LayerWeights, type Linear, type Weights, wide, tokenWidth } from './weights.ts'

/** The tokens that are worked on at a time: each takes 11 KB. 216 would be as fast; a single text has up to 256. */
export const chunkTokens = 512

/** Rows after the last that the kernels may read and write. */
const spareRows = 4

/** Addresses of the computed values. */
export interface ForwardAddresses {
  readonly ids: number
  readonly places: number
  readonly x: number
  readonly y: number
  /** Queries, keys and values, or the output of the wide layer. */
  readonly wide: number
  readonly rounded: number
  readonly roundedScales: number
  readonly scratch: number
  readonly out: number
}

export function takeRoom(arena: Arena, places: number): ForwardAddresses {
  const rows = chunkTokens + spareRows
  return {
    ids: arena.take(rows * 4),
    places: arena.take(rows * 4),
    x: arena.take(rows * tokenWidth * 4),
    y: arena.take(rows * tokenWidth * 4),
    wide: arena.take(rows * wide * 4),
    rounded: arena.take(rows * wide),
    roundedScales: arena.take(rows * (wide / blockInputs) * 8),
    scratch: arena.take((32 + 32 + 4) * places * 4),
    out: arena.take(tokenWidth * 4),
  }
}

/** Returns the vectors of texts that are together at most `chunkTokens` long. */
export function embedChunk(kernels: Kernels, weights: Weights, room: ForwardAddresses, texts: readonly Int32Array[]): Float32Array[] {
  const lengths = texts.map((ids) => ids.length)
  const rows = place(kernels.memory, room, texts)
  kernels.embed(room.ids, room.places, rows, weights.words, weights.wordScales, weights.positions, room.x, room.y)
  kernels.normalise(room.x, room.y, weights.embedded.gamma, weights.embedded.beta, rows)
  for (const layer of weights.layers) runLayer(kernels, room, layer, lengths, rows)
  let x = room.x
  return lengths.map((length) => {
    kernels.pool(x, length, room.out)
    x += length * tokenWidth * 4
    return new Float32Array(kernels.memory, room.out, tokenWidth).slice()
  })
}

/** Writes ids, and each token's place in its text. Returns the number of tokens. */
function place(memory: ArrayBuffer, room: ForwardAddresses, texts: readonly Int32Array[]): number {
  const allIds = new Int32Array(memory, room.ids, chunkTokens)
  const places = new Int32Array(memory, room.places, chunkTokens)
  let rows = 0
  for (const ids of texts) {
    allIds.set(ids, rows)
    for (let at = 0; at < ids.length; at += 1) places[rows + at] = at
    rows += ids.length
  }
  return rows
}

function runLayer(kernels: Kernels, room: ForwardAddresses, layer: LayerWeights, lengths: readonly number[], rows: number): void {
  multiply(kernels, room, room.x, layer.attention, room.wide, rows)
  let row = 0
  for (const length of lengths) {
    kernels.attend(room.wide + row * 3 * tokenWidth * 4, length, room.y + row * tokenWidth * 4, room.scratch)
    row += length
  }
  multiply(kernels, room, room.y, layer.project, room.y, rows)
  kernels.normalise(room.x, room.y, layer.projected.gamma, layer.projected.beta, rows)
  multiply(kernels, room, room.x, layer.widen, room.wide, rows)
  kernels.gelu(room.wide, room.wide + rows * wide * 4)
  multiply(kernels, room, room.wide, layer.narrow, room.y, rows)
  kernels.normalise(room.x, room.y, layer.narrowed.gamma, layer.narrowed.beta, rows)
}

/** Rounds `from` and multiplies it by a layer's weights. `to` may be `from`. */
function multiply(
  kernels: Kernels,
  room: ForwardAddresses,
  from: number,
  { inputs, channels, weights, sums, scales, biases }: Linear,
  to: number,
  rows: number,
): void {
  const blocks = inputs / blockInputs
  kernels.quantise(from, rows, blocks, room.rounded, room.roundedScales)
  kernels.multiply(room.rounded, room.roundedScales, rows, blocks, weights, sums, scales, biases, channels, to)
}
