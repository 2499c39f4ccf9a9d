import { expect, test } from 'vitest'
import { allLayers, bitOf, distilledLayers, onceShift } from '../storage/layers.ts'
import { composedLayersIn, readLayersIn } from './all.ts'

const everyBit = (1 << onceShift) - 1

test('each layer has a bit of its own, below those of layers that are wanted once', () => {
  const bits = allLayers.map(bitOf)
  expect(new Set(bits).size).toBe(bits.length)
  for (const bit of bits) expect([bit & (bit - 1), bit & everyBit]).toEqual([0, bit])
})

test('each layer for which spans are read says how', () => {
  expect(readLayersIn(everyBit).map(({ name }) => name)).toEqual(distilledLayers)
})

test('layers that are asked for in one call have names of their own in the answer', () => {
  const together = readLayersIn(everyBit).filter(({ isShared }) => !isShared)
  expect(new Set(together.map(({ reading }) => reading.task.key)).size).toBe(together.length)
})

test('layers of one owner that become items have kinds of their own', () => {
  const own = composedLayersIn(everyBit).filter(({ isShared }) => !isShared)
  expect(new Set(own.map(({ composing }) => composing.kind)).size).toBe(own.length)
})
