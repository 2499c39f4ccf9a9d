import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Loop, type UpkeepTurn, untilWoken } from './loop.ts'

const nothing: UpkeepTurn = { done: 0, settled: true }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A loop whose turns are noted by their time, in seconds. */
function looking(longestMs: number, share = 1, turn: () => UpkeepTurn = () => nothing) {
  const at: number[] = []
  const began = performance.now()
  const work = async (): Promise<UpkeepTurn> => {
    at.push(Math.round((performance.now() - began) / 10) / 100)
    return turn()
  }
  const loop = new Loop(work, () => undefined, undefined, { longestMs, share })
  loop.startBackground()
  return { at, loop, wait: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000) }
}

test('the pause grows while nothing is to be done, up to its bound', async () => {
  const { at, loop, wait } = looking(8_000)
  await wait(40)
  expect(at).toEqual([1, 3, 7, 15, 23, 31, 39])
  await loop.stop()
})

test('processes have pauses of their own', async () => {
  const { at, loop, wait } = looking(8_000, 0)
  await wait(20)
  expect(at).toEqual([1, 3, 7, 13, 19])
  await loop.stop()
})

test('where a look costs little, the pause stays', async () => {
  const { at, loop, wait } = looking(1_000)
  await wait(4.5)
  expect(at).toEqual([1, 2, 3, 4])
  await loop.stop()
})

test('a stir ends a long pause, and pauses grow anew', async () => {
  const { at, loop, wait } = looking(60_000)
  await wait(20)
  loop.stir()
  loop.stir()
  await wait(4)
  expect(at).toEqual([1, 3, 7, 15, 21, 23])
  await loop.stop()
})

test('a loop that rests until it is woken does nothing by itself', async () => {
  const { at, loop, wait } = looking(untilWoken)
  await wait(600)
  expect(at).toEqual([])
  loop.wake()
  await wait(600)
  expect(at).toEqual([600])
  await loop.stop()
})

test('after blocked work neither a wake nor a stir shortens the pause', async () => {
  const { at, loop, wait } = looking(untilWoken, 1, () => ({ done: 0, settled: false }))
  loop.wake()
  await wait(1.5)
  loop.wake()
  loop.stir()
  await wait(10)
  expect(at).toEqual([0, 2, 6])
  await loop.stop()
})
