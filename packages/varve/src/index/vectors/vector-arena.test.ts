import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { blockBytes, VectorArena } from './vector-arena.ts'
import { runs } from '../../testing/runs.ts'

const kinds = ['simd', 'plain'] as const
const mebibyte = 1024 ** 2

afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each(kinds)('a %s arena', (kind) => {
  test('hands out blocks that are nobody else’s, and keeps what is in them as it grows', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('allocate' as const) },
      { weight: 1, arbitrary: fc.record({ free: fc.nat() }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
        const arena = new VectorArena({ maxBytes: mebibyte, kind })
        const usedAtFirst = arena.usedBytes
        const model = new Map<number, Int8Array>()
        for (const [at, what] of steps.entries()) {
          if (what === 'allocate') {
            const block = arena.allocate()
            if (block === undefined) {
              expect(usedAtFirst + (model.size + 1) * blockBytes).toBeGreaterThan(mebibyte)
              continue
            }
            expect(model.has(block)).toBe(false)
            const content = new Int8Array(blockBytes).fill(at + 1)
            arena.write(block, 0, content, blockBytes)
            model.set(block, content)
          } else {
            const block = [...model.keys()][what.free % Math.max(1, model.size)]
            if (block === undefined) continue
            arena.free(block)
            model.delete(block)
          }
          expect(arena.usedBytes).toBe(usedAtFirst + model.size * blockBytes)
          expect(arena.bytes).toBeLessThanOrEqual(arena.maxBytes)
        }
        for (const [block, content] of model) expect(arena.read(block, 0, blockBytes).every((code, at) => code === content[at])).toBe(true)
      }),
      { numRuns: runs(50) },
    )
  })

  test('stops at its bound, and goes on when a block comes back', () => {
    const arena = new VectorArena({ maxBytes: 3 * mebibyte + 1, kind })
    expect(arena.kind).toBe(kind)
    expect(arena.maxBytes).toBe(3 * mebibyte)
    const blocks: number[] = []
    for (let block = arena.allocate(); block !== undefined; block = arena.allocate()) blocks.push(block)
    expect(arena.bytes).toBe(3 * mebibyte)
    expect(arena.usedBytes).toBe(3 * mebibyte)
    expect(new Set(blocks).size).toBe((3 * mebibyte) / blockBytes - 2)
    arena.free(blocks[7] ?? 0)
    expect(arena.allocate()).toBe(blocks[7])
    expect(arena.allocate()).toBeUndefined()
  })

  test('starts small, doubles, and from 64 MiB on grows by as much', () => {
    const arena = new VectorArena({ maxBytes: 200 * mebibyte, kind })
    const sizes = new Set([arena.bytes])
    while (arena.allocate() !== undefined) sizes.add(arena.bytes)
    expect([...sizes].map((bytes) => bytes / mebibyte)).toEqual([0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 192, 200])
  })

  test('refuses a block that is not in use, and a bound too small for anything', () => {
    const arena = new VectorArena({ maxBytes: mebibyte, kind })
    const block = arena.allocate() ?? -1
    arena.free(block)
    for (const wrong of [block, 0, -1, 1e9, Number.NaN]) expect(() => arena.free(wrong)).toThrow(RangeError)
    for (const maxBytes of [0, -1, Number.NaN, 65_535]) expect(() => new VectorArena({ maxBytes, kind })).toThrow(RangeError)
  })
})

test('does without WebAssembly where there is none, where it fails and where it has no room', () => {
  const real: { Memory: unknown; Module: unknown; Instance: unknown } = Reflect.get(globalThis, 'WebAssembly')
  function refusing(): never {
    throw new RangeError('could not allocate memory')
  }
  for (const stub of [undefined, { ...pick(real), Module: refusing }, { ...pick(real), Memory: refusing }]) {
    vi.stubGlobal('WebAssembly', stub)
    expect(new VectorArena({ maxBytes: mebibyte }).kind).toBe('plain')
  }
  vi.unstubAllGlobals()
  expect(new VectorArena({ maxBytes: mebibyte }).kind).toBe('simd')
})

test('is full when the system gives no more, and what it holds stays', () => {
  const real: {
    Memory: new (limits: object) => { buffer: ArrayBuffer; grow: (pages: number) => number }
    Module: unknown
    Instance: unknown
  } = Reflect.get(globalThis, 'WebAssembly')
  const memories: { grow: (pages: number) => number }[] = []
  class Kept extends real.Memory {
    constructor(limits: object) {
      super(limits)
      memories.push(this)
    }
  }
  vi.stubGlobal('WebAssembly', { ...pick(real), Memory: Kept })
  const arena = new VectorArena({ maxBytes: mebibyte })
  for (const memory of memories) {
    memory.grow = () => {
      throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory')
    }
  }
  expect(arena.kind).toBe('simd')
  const blocks = [arena.allocate(), arena.allocate(), arena.allocate()]
  expect(blocks).toEqual([2, 3, undefined])
  arena.write(3, 0, Int8Array.of(1, 2, 3), 16)
  expect([...arena.read(3, 0, 4)]).toEqual([1, 2, 3, 0])
})

function pick({ Memory, Module, Instance }: { Memory: unknown; Module: unknown; Instance: unknown }): object {
  return { Memory, Module, Instance }
}
