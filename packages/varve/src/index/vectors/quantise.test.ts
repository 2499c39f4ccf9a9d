import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantise } from './quantise.ts'
import { runs } from '../../testing/runs.ts'

const component = fc.float({ noNaN: true, noDefaultInfinity: true })
const vector = fc.float32Array({ noNaN: true, noDefaultInfinity: true, minLength: 1, maxLength: 64 })

test('is off by half a scale at most, in any component of any size', () => {
  fc.assert(
    fc.property(vector, (components) => {
      const { code, scale } = quantise(components)
      expect(code.length).toBe(components.length)
      expect(scale).toBe(Math.fround(scale))
      // A 32-bit scale may be off by 2⁻²⁴ of itself, 127 times; a scale of 0 stands for less than 2⁻¹²⁶.
      const most = scale === 0 ? 127 * 2 ** -126 : scale * (0.5 + 127 * 2 ** -23)
      for (const [at, component] of components.entries()) expect(Math.abs(component - (code[at] ?? 0) * scale)).toBeLessThanOrEqual(most)
    }),
    { numRuns: runs(500) },
  )
})

test('uses −127 to 127 and never −128, and gives the largest component the largest code', () => {
  fc.assert(
    fc.property(vector, (components) => {
      const { code, scale } = quantise(components)
      const sizes = [...code].map(Math.abs)
      expect(Math.max(...sizes)).toBe(scale === 0 ? 0 : 127)
    }),
    { numRuns: runs(500) },
  )
})

test('a vector turned round has the codes turned round, but for halves', () => {
  fc.assert(
    fc.property(vector, (components) => {
      const [here, there] = [quantise(components), quantise(components.map((component) => -component))]
      expect(there.scale).toBe(here.scale)
      for (const [at, code] of here.code.entries()) expect(Math.abs(code + (there.code[at] ?? 0))).toBeLessThanOrEqual(1)
    }),
  )
})

test('gives zeros for zeros, and for what is too small to have a direction', () => {
  expect(quantise(new Float32Array(8))).toEqual({ code: new Int8Array(8), scale: 0 })
  expect(quantise(Float32Array.of(1e-43, -1e-42))).toEqual({ code: new Int8Array(2), scale: 0 })
  expect(quantise(new Float32Array(0))).toEqual({ code: new Int8Array(0), scale: 0 })
})

test('refuses what is not finite, wherever it is', () => {
  fc.assert(
    fc.property(
      fc.array(component, { maxLength: 8 }),
      fc.array(component, { maxLength: 8 }),
      fc.constantFrom(Number.NaN, Infinity, -Infinity),
      (before, after, bad) => {
        expect(() => quantise(Float32Array.from([...before, bad, ...after]))).toThrow(RangeError)
      },
    ),
  )
})
