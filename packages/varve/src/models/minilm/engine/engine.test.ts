import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MiniLmEngine, loadEngine } from './engine.ts'
import type { KernelKind } from './kernels.ts'

/** Texts with their token ids, cut to 256, and onnxruntime's vectors for them from the model's original weights: base64 of floats. */
interface Known {
  readonly text: string
  readonly ids: readonly number[]
  readonly vector: string
}

const known: readonly Known[] = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', 'vectors.json'), 'utf8'))
const texts = known.map(({ ids }) => Int32Array.from(ids))
/** Made by `node scripts/model.ts`. */
const modelFile = join(import.meta.dirname, '../../../../model/minilm.onnx')

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0]
  for (const [at, x] of a.entries()) {
    const y = b[at] ?? 0
    dot += x * y
    aa += x * x
    bb += y * y
  }
  return dot / Math.sqrt(aa * bb)
}

const wanted: readonly KernelKind[] = ['relaxed', 'plain']

describe.each(wanted)('%s', (kind) => {
  let engine: MiniLmEngine
  beforeAll(async () => {
    engine = await loadEngine(readFileSync(modelFile), kind)
  })

  test.each(known)('knows $text', ({ ids, vector }) => {
    const expected = new Float32Array(Uint8Array.from(Buffer.from(vector, 'base64')).buffer)
    const [got = new Float32Array(0)] = engine.embed([Int32Array.from(ids)])
    expect(got).toHaveLength(384)
    expect(Math.hypot(...got)).toBeCloseTo(1, 5)
    expect(cosine(got, expected)).toBeGreaterThan(0.99)
  })

  test('gives a text the same vector to the bit, whatever is beside it', () => {
    const alone = texts.map((ids) => engine.embed([ids])[0])
    expect(engine.embed(texts)).toEqual(alone)
    expect(engine.embed(texts.toReversed()).toReversed()).toEqual(alone)
    const [first = new Int32Array(0)] = texts
    expect(engine.embed(Array.from({ length: 400 }, () => first))).toEqual(Array.from({ length: 400 }, () => alone[0]))
  })

  test('is what was asked for, and says how much memory it holds', () => {
    expect(engine.kind).toBe(kind)
    expect(engine.bytes).toBeGreaterThan(22e6)
    expect(engine.bytes).toBeLessThan(32e6)
  })

  test('gives nothing for nothing', () => expect(engine.embed([])).toEqual([]))

  test.each([
    ['a text without tokens', []],
    ['a text that is too long', Array.from({ length: 257 }, () => 101)],
    ['an id below 0', [101, -1, 102]],
    ['an id that no token has', [101, 30_522, 102]],
  ])('refuses %s', (_, ids) => {
    expect(() => engine.embed([Int32Array.of(101, 102), Int32Array.from(ids)])).toThrow(RangeError)
  })
})

test('both kinds give the same vectors to the bit', async () => {
  const file = readFileSync(modelFile)
  const [relaxed, plain] = [await loadEngine(file, 'relaxed'), await loadEngine(file, 'plain')]
  expect(relaxed.embed(texts)).toEqual(plain.embed(texts))
})

test('refuses what is not the model', async () => {
  const file = readFileSync(modelFile)
  await expect(loadEngine(new Uint8Array(0))).rejects.toThrow('hold no ONNX model')
  await expect(loadEngine(file.subarray(0, 1_000_000))).rejects.toThrow('cut off')
  const renamed = Buffer.from(file)
  renamed.write('layer9', renamed.lastIndexOf('layer3.widen.weight'))
  await expect(loadEngine(renamed)).rejects.toThrow('no constant layer3.widen.weight')
})
