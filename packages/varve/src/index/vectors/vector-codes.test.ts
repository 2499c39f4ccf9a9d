import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quantise } from './quantise.ts'
import { blockBytes, VectorArena } from './vector-arena.ts'
import { noVector, VectorCodes } from './vector-codes.ts'
import { runs } from '../../testing/runs.ts'

const mebibyte = 1024 ** 2
const maxBytes = 32 * mebibyte

/** Makes a vector of unit length from a seed; smaller seeds are simpler. */
function vectorOf(seed: number, dimension: number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, (_, at) => Math.imul((seed + 1) * 7_919 + at * 31, 0x9e3779b1) / 2 ** 31)
  const length = Math.hypot(...vector) || 1
  return vector.map((component) => component / length)
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, at) => sum + component * (b[at] ?? 0), 0)
}

function added(codes: VectorCodes, vector: Float32Array, doc: number): boolean {
  const { code, scale } = quantise(vector)
  return codes.add(code, scale, doc)
}

/** Returns the largest error of a dot product of two quantised unit vectors: half a scale in each component of either. */
function mostError(a: Float32Array, b: Float32Array): number {
  const [errorA, errorB] = [a, b].map((vector) => (quantise(vector).scale / 2) * Math.sqrt(vector.length))
  return (errorA ?? 0) + (errorB ?? 0) + (errorA ?? 0) * (errorB ?? 0) + 1e-5
}

const dimension = fc.oneof(fc.constantFrom(1, 8, 15, 16, 17, 384, 768, 1_000, 4_096, 16_384), fc.integer({ min: 1, max: 128 }))
const docs = 12

describe.each(['simd', 'plain'] as const)('%s', (kind) => {
  test('gives each message its best cosine, within what the bytes cost, and the row of it', () => {
    fc.assert(
      fc.property(dimension, fc.array(fc.nat(docs - 1), { maxLength: 60 }), fc.boolean(), (size, said, ordered) => {
        const codes = new VectorCodes(new VectorArena({ maxBytes, kind }), size)
        const query = vectorOf(99, size)
        const rows = (ordered ? said.toSorted((a, b) => a - b) : said).map((doc, seed) => ({ doc, vector: vectorOf(seed, size) }))
        for (const { doc, vector } of rows) expect(added(codes, vector, doc)).toBe(true)
        const cosines = new Float32Array(docs)
        codes.scan(query, cosines)
        for (const [doc, cosine] of cosines.entries()) {
          const theirs = rows.flatMap((row, at) =>
            row.doc === doc ? [{ at, cosine: dot(row.vector, query), error: mostError(row.vector, query) }] : [],
          )
          const row = codes.bestRow(query, doc)
          if (theirs.length === 0) {
            expect([cosine, row]).toEqual([noVector, undefined])
            continue
          }
          const best = Math.max(...theirs.map((one) => one.cosine))
          const error = Math.max(...theirs.map((one) => one.error))
          expect(Math.abs(cosine - best)).toBeLessThanOrEqual(error)
          const chosen = theirs.find(({ at }) => at === row)
          expect(Math.abs((chosen?.cosine ?? 9) - cosine)).toBeLessThanOrEqual(error)
          expect(codes.docOf(row ?? -1)).toBe(doc)
        }
      }),
      { numRuns: runs(50) },
    )
  })

  test('segments that come and go over one arena find what is theirs, as each would alone', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 90 }), to: fc.nat(5) }) },
      { weight: 1, arbitrary: fc.record({ dispose: fc.nat(5) }) },
    )
    const sizes = [8, 384, 384, 1_536, 4_096, 33]
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const arena = new VectorArena({ maxBytes, kind })
        const usedAtFirst = arena.usedBytes
        const open = sizes.map((size) => ({ codes: new VectorCodes(arena, size), model: new Array<{ code: Int8Array; scale: number }>() }))
        for (const [seed, what] of steps.entries()) {
          const place = 'add' in what ? what.to : what.dispose
          const size = sizes[place] ?? 1
          const segment = open[place]
          if (segment === undefined) continue
          if ('add' in what) {
            for (let row = 0; row < what.add; row += 1) {
              const quantised = quantise(vectorOf(seed * 100 + row, size))
              expect(segment.codes.add(quantised.code, quantised.scale, segment.model.length)).toBe(true)
              segment.model.push(quantised)
            }
          } else {
            segment.codes.dispose()
            segment.codes.dispose()
            open[place] = { codes: new VectorCodes(arena, size), model: [] }
          }
        }
        for (const { codes, model } of open) {
          const query = vectorOf(77, codes.dimension)
          const asked = quantise(query)
          const cosines = new Float32Array(model.length)
          codes.scan(query, cosines)
          const expected = model.map(({ code, scale }) =>
            Math.fround(code.reduce((sum, factor, at) => sum + factor * (asked.code[at] ?? 0), 0) * Math.fround(scale) * asked.scale),
          )
          expect([...cosines]).toEqual(expected)
        }
        for (const { codes } of open) codes.dispose()
        expect(arena.usedBytes).toBe(usedAtFirst)
      }),
      { numRuns: runs(30) },
    )
  })

  test('refuses another dimension, scale, message or room than it can hold, and changes nothing', () => {
    const arena = new VectorArena({ maxBytes, kind })
    for (const wrong of [0, -1, 1.5, blockBytes + 1, Number.NaN]) expect(() => new VectorCodes(arena, wrong)).toThrow(RangeError)
    const codes = new VectorCodes(arena, 8)
    for (const length of [0, 7, 9, 16]) expect(() => codes.add(new Int8Array(length), 1, 0)).toThrow(RangeError)
    for (const scale of [-1, Number.NaN, Infinity]) expect(() => codes.add(new Int8Array(8), scale, 0)).toThrow(RangeError)
    for (const doc of [-1, 0.5, 2 ** 31, Number.NaN]) expect(() => codes.add(new Int8Array(8), 1, doc)).toThrow(RangeError)
    expect(codes.rows).toBe(0)
    expect(codes.add(new Uint8Array(8), 1, 3)).toBe(true)
    expect(() => codes.scan(new Float32Array(9), new Float32Array(4))).toThrow(RangeError)
    expect(() => codes.scan(new Float32Array(8), new Float32Array(3))).toThrow(RangeError)
    expect(() => codes.bestRow(new Float32Array(9), 3)).toThrow(RangeError)
    expect([codes.docOf(0), codes.docOf(1), codes.docOf(-1)]).toEqual([3, undefined, undefined])
    codes.dispose()
    expect(() => codes.scan(new Float32Array(8), new Float32Array(4))).toThrow(TypeError)
    expect(() => codes.add(new Int8Array(8), 1, 0)).toThrow(TypeError)
  })

  test('stays as it is when the arena is full', () => {
    const codes = new VectorCodes(new VectorArena({ maxBytes: 64 * 1024, kind }), 4_096)
    const vectors = Array.from({ length: 9 }, (_, seed) => vectorOf(seed, 4_096))
    expect(vectors.map((vector, doc) => added(codes, vector, doc))).toEqual([...Array.from({ length: 8 }, () => true), false])
    expect(codes.rows).toBe(8)
    const cosines = new Float32Array(9)
    codes.scan(vectors[7] ?? new Float32Array(0), cosines)
    expect(cosines[7]).toBeCloseTo(1, 2)
    expect(cosines[8]).toBe(noVector)
  })
})

test('both kinds give the same, to the bit, and bytes with a sign or without', () => {
  const [simd, plain] = (['simd', 'plain'] as const).map((kind) => new VectorCodes(new VectorArena({ maxBytes, kind }), 100))
  for (let row = 0; row < 2_000; row += 1) {
    const { code, scale } = quantise(vectorOf(row, 100))
    simd?.add(code, scale, row >> 1)
    plain?.add(new Uint8Array(code.buffer), scale, row >> 1)
  }
  const [fast, slow] = [new Float32Array(1_000), new Float32Array(1_000)]
  simd?.scan(vectorOf(5_000, 100), fast)
  plain?.scan(vectorOf(5_000, 100), slow)
  expect(fast).toEqual(slow)
})

test('a thousand segments of 10 vectors of 384 components take 17 MiB, and one of a thousand 0.4', () => {
  const arena = new VectorArena({ maxBytes: 64 * mebibyte })
  const segments = Array.from({ length: 1_000 }, () => new VectorCodes(arena, 384))
  const vector = vectorOf(1, 384)
  for (const segment of segments) for (let doc = 0; doc < 10; doc += 1) added(segment, vector, doc)
  const counted = segments.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(counted).toBe(1_000 * (blockBytes + 8 + 16 * 16))
  expect(counted).toBeLessThan(17 * mebibyte)
  expect(arena.usedBytes).toBe(1_002 * blockBytes)
  expect(arena.bytes).toBeLessThanOrEqual(32 * mebibyte)
  const large = new VectorCodes(arena, 384)
  for (let doc = 0; doc < 1_000; doc += 1) added(large, vector, doc)
  expect(large.bytes).toBe(24 * (blockBytes + 8) + 1_024 * 16)
})
