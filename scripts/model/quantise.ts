import type { Matrix } from './safetensors.ts'

/** Whole numbers times a scale for each row, or for each column. */
export interface Quantised {
  readonly shape: readonly number[]
  readonly values: Int8Array
  readonly scales: Float32Array
}

/** The largest weight, and the largest sum of two neighbours of one sign. */
const most = 127

/** Rounds each row to -127 … 127. */
export function quantiseRows({ shape, values }: Matrix): Quantised {
  const [rows = 0, columns = 0] = shape
  const rounded = new Int8Array(values.length)
  const scales = new Float32Array(rows)
  for (let row = 0; row < rows; row += 1) {
    const from = row * columns
    scales[row] = largest(values.subarray(from, from + columns)) / most || 1
    for (let at = from; at < from + columns; at += 1) rounded[at] = Math.round((values[at] ?? 0) / (scales[row] ?? 1))
  }
  return { shape, values: rounded, scales }
}

/**
 * Rounds the weights of each output channel, and turns [channels, inputs] into [inputs, channels].
 *
 * Processors multiply 8-bit numbers in pairs into 16 bits. onnxruntime on AVX2 has an unsigned activation of up to 255.
 * The WebAssembly engine has one of up to 127, and adds two pairs.
 *
 * Both fit if no two neighbours of one sign sum to more than 128. So the scale follows the largest such sum as well as
 * the largest weight. That costs a third of a bit.
 */
export function quantiseChannels({ shape, values }: Matrix): Quantised {
  const [channels = 0, inputs = 0] = shape
  const rounded = new Int8Array(values.length)
  const scales = new Float32Array(channels)
  for (let channel = 0; channel < channels; channel += 1) {
    const weights = values.subarray(channel * inputs, (channel + 1) * inputs)
    const scale = Math.max(largest(weights), largestPair(weights)) / most
    scales[channel] = scale
    for (const [input, weight] of weights.entries()) rounded[input * channels + channel] = Math.round(weight / scale)
  }
  return { shape: [inputs, channels], values: rounded, scales }
}

function largest(numbers: Float32Array): number {
  return numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0)
}

function largestPair(numbers: Float32Array): number {
  let most = 0
  for (let at = 0; at < numbers.length; at += 2) most = Math.max(most, Math.abs((numbers[at] ?? 0) + (numbers[at + 1] ?? 0)))
  return most
}
