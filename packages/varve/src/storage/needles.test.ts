import { expect, test } from 'vitest'
import { Needles } from './needles.ts'

test('keeps what it is given, however many', () => {
  const needles = new Needles()
  needles.add([Uint8Array.of(1, 2)])
  needles.add(Array.from({ length: 600_000 }, () => Uint8Array.of(3)))
  expect(needles.all?.length).toBe(600_001)
  expect(needles.all?.[0]).toEqual(Uint8Array.of(1, 2))
})

test('keeps nothing once it is more than is worth searching for, and never a part', () => {
  const needles = new Needles()
  needles.add([new Uint8Array(16 * 1024 * 1024)])
  expect(needles.all).toHaveLength(1)
  needles.add([Uint8Array.of(1)])
  expect(needles.all).toBeUndefined()
  needles.add([Uint8Array.of(2)])
  expect(needles.all).toBeUndefined()
})
