import { beforeAll, describe, expect, test } from 'vitest'
import { type Kernels, loadKernels } from './kernels.ts'
import { packWeights } from './pack-weights.ts'

const fround = Math.fround

/** Makes numbers from 0 to 1, the same for each seed. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function floats(kernels: Kernels, at: number, length: number): Float32Array {
  return new Float32Array(kernels.memory, at, length)
}

/** Computes the error function by its series, in double precision. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x)
  let [term, sum] = [x, x]
  for (let n = 1; n < 120; n += 1) {
    term *= (-x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

interface Rounded {
  readonly q: readonly number[]
  readonly s: number
  readonly z: number
}

/** Reads one row's blocks of 64 back from the output of quantise, which interleaves four rows. */
function roundedRow(kernels: Kernels, row: number, blocks: number, qAt: number, scalesAt: number): Rounded[] {
  const q = new Uint8Array(kernels.memory)
  const group = row >> 2
  const lane = row & 3
  return Array.from({ length: blocks }, (_, block) => {
    const scale = scalesAt + (group * blocks + block) * 32 + lane * 8
    return {
      q: Array.from({ length: 64 }, (__, k) => q[qAt + (group * blocks + block) * 256 + (k >> 2) * 16 + lane * 4 + (k & 3)] ?? 0),
      s: floats(kernels, scale, 1)[0] ?? 0,
      z: new Int32Array(kernels.memory, scale + 4, 1)[0] ?? 0,
    }
  })
}

const places = { x: 0, q: 200_000, rowScales: 260_000, weights: 300_000, sums: 420_000, scales: 440_000, biases: 450_000, out: 460_000 }

interface Product {
  readonly rows: number
  readonly blocks: number
  readonly channels: number
  /** Weights [inputs, channels], and the rows' numbers. */
  readonly weightAt: (input: number, channel: number) => number
  readonly numberAt: (row: number, input: number) => number
}

function multiply(kernels: Kernels, { rows, blocks, channels, weightAt, numberAt }: Product): Float32Array {
  const inputs = blocks * 64
  const random = numbersFrom(7)
  new Uint8Array(kernels.memory).fill(0)
  floats(kernels, places.x, rows * inputs).set(
    Array.from({ length: rows * inputs }, (_, at) => numberAt(Math.floor(at / inputs), at % inputs)),
  )
  floats(kernels, places.scales, channels).set(Array.from({ length: channels }, () => random() / 100))
  floats(kernels, places.biases, channels).set(Array.from({ length: channels }, () => random() - 0.5))
  const weights = Int8Array.from({ length: inputs * channels }, (_, at) => weightAt(Math.floor(at / channels), at % channels))
  const packed = new Int32Array(kernels.memory, places.weights, (inputs * channels) / 4)
  packWeights(new Uint8Array(weights.buffer), inputs, channels, packed, new Int32Array(kernels.memory, places.sums, blocks * channels))
  kernels.quantise(places.x, rows, blocks, places.q, places.rowScales)
  kernels.multiply(
    places.q,
    places.rowScales,
    rows,
    blocks,
    places.weights,
    places.sums,
    places.scales,
    places.biases,
    channels,
    places.out,
  )
  return floats(kernels, places.out, rows * channels).slice()
}

/** Computes the same in TypeScript from the output of quantise, rounding to floats where the kernels do. */
function multiplyTwin(kernels: Kernels, { rows, blocks, channels, weightAt }: Product): Float32Array {
  const [scales, biases] = [floats(kernels, places.scales, channels), floats(kernels, places.biases, channels)]
  return Float32Array.from({ length: rows * channels }, (_, at) => {
    const channel = at % channels
    let sum = 0
    for (const [block, { q, s, z }] of roundedRow(kernels, Math.floor(at / channels), blocks, places.q, places.rowScales).entries()) {
      const exact = q.reduce((total, number, k) => total + (number - z) * weightAt(block * 64 + k, channel), 0)
      sum = fround(sum + fround(s * exact))
    }
    return fround(fround(sum * (scales[channel] ?? 0)) + (biases[channel] ?? 0))
  })
}

/** Makes weights as scripts/model.ts does: two neighbours of one sign sum to at most 128. */
function randomWeights(seed: number, inputs: number, channels: number): (input: number, channel: number) => number {
  const random = numbersFrom(seed)
  const weights = Array.from({ length: inputs * channels }, () => Math.round(random() * 254 - 127))
  for (let at = 0; at < weights.length; at += 2) {
    const [a = 0, b = 0] = [weights[at], weights[at + 1]]
    if (Math.abs(a + b) > 128) weights[at + 1] = Math.sign(a) * (128 - Math.abs(a))
  }
  return (input, channel) => weights[channel * inputs + input] ?? 0
}

describe('multiplication', () => {
  const [relaxed, plain] = [loadKernels(1e6, 'relaxed'), loadKernels(1e6, 'plain')]
  const shapes = [1, 2, 3, 4, 5, 9].flatMap(
    (rows) =>
      [
        [rows, 1, 4],
        [rows, 2, 12],
        [rows, 6, 8],
        [rows, 24, 4],
      ] as const,
  )

  test('is done with relaxed SIMD here, and without where it is not wanted', () => {
    expect([relaxed.kind, plain.kind]).toEqual(['relaxed', 'plain'])
  })

  test.each(shapes)('of %i rows with %i blocks and %i channels is the same three times, to the bit', (rows, blocks, channels) => {
    const random = numbersFrom(rows * 31 + blocks)
    const numbers = Array.from({ length: rows * blocks * 64 }, () => (random() - 0.3) * 10 ** (random() * 3 - 1))
    const product = {
      rows,
      blocks,
      channels,
      weightAt: randomWeights(blocks, blocks * 64, channels),
      numberAt: (row: number, input: number) => numbers[row * blocks * 64 + input] ?? 0,
    }
    const got = multiply(relaxed, product)
    expect(got).toEqual(multiplyTwin(relaxed, product))
    expect(multiply(plain, product)).toEqual(got)
  })

  test.each([64, -64])('does not overflow at the largest weights that are allowed, %i each', (weight) => {
    const product = { rows: 4, blocks: 6, channels: 4, weightAt: () => weight, numberAt: () => 1 }
    const got = multiply(relaxed, product)
    expect(roundedRow(relaxed, 0, 1, places.q, places.rowScales)[0]?.q).toEqual(Array.from({ length: 64 }, () => 127))
    expect(got).toEqual(multiplyTwin(relaxed, product))
    expect(multiply(plain, product)).toEqual(got)
  })

  test('refuses weights that could overflow', () => {
    expect(() => multiply(relaxed, { rows: 1, blocks: 1, channels: 4, weightAt: () => 65, numberAt: () => 1 })).toThrow('sum to 130')
  })
})

describe('the other kernels', () => {
  let kernels: Kernels
  beforeAll(() => {
    kernels = loadKernels(4e6)
  })

  test('quantise keeps every number to half a step, zeros and single numbers too', () => {
    const random = numbersFrom(3)
    const kinds = [
      () => random() - 0.5,
      () => random() * 100,
      () => -random(),
      () => 0,
      () => 1e-20,
      () => (random() > 0.98 ? 50 : random() / 10),
    ]
    const numbers = kinds.flatMap((make) => Array.from({ length: 128 }, make))
    floats(kernels, 0, numbers.length).set(numbers)
    kernels.quantise(0, kinds.length, 2, places.q, places.rowScales)
    for (let row = 0; row < kinds.length; row += 1) {
      for (const [block, { q, s, z }] of roundedRow(kernels, row, 2, places.q, places.rowScales).entries()) {
        expect(Math.max(...q)).toBeLessThanOrEqual(127)
        for (const [k, number] of q.entries())
          expect(Math.abs(s * (number - z) - (numbers[row * 128 + block * 64 + k] ?? 0))).toBeLessThanOrEqual(s * 1.001)
      }
    }
  })

  test('gelu is right to 1e-6', () => {
    const numbers = Float32Array.from({ length: 4096 }, (_, at) => (at - 2048) / 200)
    floats(kernels, 0, numbers.length).set(numbers)
    kernels.gelu(0, numbers.length * 4)
    const worst = numbers.reduce(
      (most, x, at) => Math.max(most, Math.abs((floats(kernels, 0, 4096)[at] ?? 0) - (x / 2) * (1 + erf(x / Math.SQRT2)))),
      0,
    )
    expect(worst).toBeLessThan(1e-6)
  })

  test.each([1, 2, 3, 4, 5, 31, 256])('softmax of %i is right to 1e-6', (count) => {
    const random = numbersFrom(count)
    const numbers = Array.from({ length: count }, () => fround(random() * 40 - 20))
    floats(kernels, 0, 260).fill(1e9)
    floats(kernels, 0, count).set(numbers)
    kernels.softmax(0, count)
    const most = Math.max(...numbers)
    const sum = numbers.reduce((total, x) => total + Math.exp(x - most), 0)
    for (const [at, x] of numbers.entries())
      expect(Math.abs((floats(kernels, 0, count)[at] ?? 0) - Math.exp(x - most) / sum)).toBeLessThan(1e-6)
  })

  test('normalise adds, and gives mean 0 and deviation 1 before gamma and beta', () => {
    const random = numbersFrom(5)
    const [x, y, gamma, beta] = Array.from({ length: 4 }, () => Array.from({ length: 768 }, () => fround(random() * 4 - 1)))
    if (!x || !y || !gamma || !beta) throw new TypeError('four were made')
    for (const [at, numbers] of [x, y, gamma, beta].entries()) floats(kernels, at * 4096, 768).set(numbers)
    kernels.normalise(0, 4096, 8192, 12_288, 2)
    for (const row of [0, 1]) {
      const sums = Array.from({ length: 384 }, (_, at) => (x[row * 384 + at] ?? 0) + (y[row * 384 + at] ?? 0))
      const mean = sums.reduce((total, number) => total + number, 0) / 384
      const deviation = Math.sqrt(sums.reduce((total, number) => total + (number - mean) ** 2, 0) / 384)
      for (const [at, number] of sums.entries()) {
        const expected = ((number - mean) / deviation) * (gamma[at] ?? 0) + (beta[at] ?? 0)
        expect(floats(kernels, 0, 768)[row * 384 + at]).toBeCloseTo(expected, 4)
      }
    }
  })

  test.each([1, 2, 7, 8, 9, 27])('attention over %i tokens is right to 1e-5', (rows) => {
    const random = numbersFrom(rows)
    const qkv = Float32Array.from({ length: rows * 1152 }, () => random() * 2 - 1)
    floats(kernels, 0, qkv.length).set(qkv)
    kernels.attend(0, rows, 1e6, 2e6)
    const got = floats(kernels, 1e6, rows * 384)
    const at = (row: number, column: number) => qkv[row * 1152 + column] ?? 0
    for (let head = 0; head < 12; head += 1) {
      for (let row = 0; row < rows; row += 1) {
        const dims = Array.from({ length: 32 }, (_, d) => head * 32 + d)
        const weights = Array.from({ length: rows }, (_, key) => Math.exp(dims.reduce((sum, d) => sum + at(row, d) * at(key, 384 + d), 0)))
        const all = weights.reduce((sum, weight) => sum + weight, 0)
        for (const d of dims)
          expect(got[row * 384 + d]).toBeCloseTo(weights.reduce((sum, weight, key) => sum + weight * at(key, 768 + d), 0) / all, 5)
      }
    }
  })
})
