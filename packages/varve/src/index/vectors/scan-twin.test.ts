import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanBytes } from './scan-bytes.ts'
import { pageBytes, type ScanMemory, simdMemory } from './scan-memory.ts'
import { lanes, scanTwin } from './scan-twin.ts'
import { runs } from '../../testing/runs.ts'

/** The query comes first, then room for the dot products, then the rows. */
const outAt = 1024
const codesAt = 8 * 1024

/** Extremes come often, because they overflow. Our codes have no −128, but a stored vector may. */
const code = fc.oneof(fc.constantFrom(-128, -127, 127, 0), fc.integer({ min: -128, max: 127 }))
const some = fc.array(code, { minLength: 1, maxLength: 97 })

const call = fc.record({
  rowBytes: fc.integer({ min: 1, max: 64 }).map((steps) => steps * 16),
  rows: fc.nat(12),
  places: fc.tuple(fc.nat(2_000), fc.nat(2_000), fc.nat(2_000), fc.nat(2_000)),
  codes: some,
})

function memoryOf(codes: readonly number[]): Int8Array<ArrayBuffer> {
  return Int8Array.from({ length: pageBytes }, (_, at) => codes[at % codes.length] ?? 0)
}

function simdHere(): ScanMemory {
  const memory = simdMemory(pageBytes)
  if (memory === undefined) throw new TypeError('this machine has no SIMD: run the tests on one that has')
  return memory
}

test('the kernel gives what its twin gives, to the bit, and writes nowhere else', () => {
  const simd = simdHere()
  fc.assert(
    fc.property(call, ({ rowBytes, rows, places, codes }) => {
      const [a = 0, b = 0, c = 0, d = 0] = places.map((place) => codesAt + place)
      const twin = memoryOf(codes)
      new Int8Array(simd.buffer).set(twin)
      scanTwin(twin.buffer, 0, rowBytes, rows, a, b, c, d, outAt)
      simd.scan(0, rowBytes, rows, a, b, c, d, outAt)
      expect(Buffer.compare(Buffer.from(simd.buffer), Buffer.from(twin.buffer))).toBe(0)
    }),
    { numRuns: runs(300) },
  )
})

test('the twin gives each row its dot product', () => {
  fc.assert(
    fc.property(call, ({ rowBytes, rows, places, codes }) => {
      const memory = memoryOf(codes)
      const before = memory.slice()
      const [a = 0, b = 0, c = 0, d = 0] = places.map((place) => codesAt + place)
      scanTwin(memory.buffer, 0, rowBytes, rows, a, b, c, d, outAt)
      const expected = Array.from({ length: rows * lanes }, (_, at) => {
        const from = codesAt + (places[at % lanes] ?? 0) + Math.floor(at / lanes) * rowBytes
        return before.subarray(0, rowBytes).reduce((sum, factor, step) => sum + factor * (before[from + step] ?? 0), 0)
      })
      expect([...new Int32Array(memory.buffer, outAt, rows * lanes)]).toEqual(expected)
    }),
  )
})

test('the longest row of extremes does not overflow', () => {
  const simd = simdHere()
  const rowBytes = 16 * 1024
  new Int8Array(simd.buffer).fill(-128)
  simd.scan(0, rowBytes, 1, rowBytes, rowBytes, rowBytes, rowBytes, rowBytes * 2)
  expect([...new Int32Array(simd.buffer, rowBytes * 2, lanes)]).toEqual(Array.from({ length: lanes }, () => 128 * 128 * rowBytes))
})

test('the module is small', () => {
  expect(Buffer.from(scanBytes, 'base64').length).toBeLessThan(1024)
})
