import { expect, test } from 'vitest'
import { windowsOf } from './windows.ts'

test('a message, then those one, two and three after and before it in its session; where there is none, no message’s number', () => {
  // 0, 2, 4 and 6 are one session, 1 another; 3 and 5 are gone.
  const next = Int32Array.of(2, -1, 4, -1, 6, -1, -1)
  const previous = Int32Array.of(-1, -1, 0, -1, 2, -1, 4)
  const windows = windowsOf({ next, previous, count: 7 }, Int32Array.of(2, 1))
  expect([...windows]).toEqual([2, 4, 0, 6, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7])
})
