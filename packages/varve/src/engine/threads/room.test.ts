import { expect, test } from 'vitest'
import { EngineOverloaded } from '../../errors/engine-overloaded.ts'
import { mostUnderWayBytes, mostWaitingBytes, Room } from './room.ts'
import { sizeOf } from './size-of.ts'

const large = Math.floor(mostUnderWayBytes / 4)

test('calls enter while there is room, then in the order in which they came', async () => {
  const room = new Room()
  const entered: number[] = []
  const waits = Array.from({ length: 8 }, (_, place) => room.enter(large)?.then(() => entered.push(place)))
  expect(waits.map((wait) => wait === undefined)).toEqual([true, true, true, true, false, false, false, false])
  room.leave(large)
  room.leave(large)
  await Promise.all([waits[4], waits[5]])
  expect(entered).toEqual([4, 5])
})

test('a small call does not pass a large one that waits', async () => {
  const room = new Room()
  expect(room.enter(mostUnderWayBytes)).toBeUndefined()
  const entered: string[] = []
  const first = room.enter(large)?.then(() => entered.push('large'))
  const second = room.enter(1)?.then(() => entered.push('small'))
  room.leave(mostUnderWayBytes)
  await Promise.all([first, second])
  expect(entered).toEqual(['large', 'small'])
})

test('a call over the bound goes alone', () => {
  const room = new Room()
  expect(room.enter(2 * mostUnderWayBytes)).toBeUndefined()
  expect(room.enter(1)).toBeInstanceOf(Promise)
})

test('where too much waits already, a call is refused and can be made again', async () => {
  const room = new Room()
  room.enter(mostUnderWayBytes)
  const waiting = room.enter(mostWaitingBytes)
  const refused = room.enter(large)
  await expect(refused).rejects.toBeInstanceOf(EngineOverloaded)
  await expect(refused).rejects.toMatchObject({ code: 'ENGINE_OVERLOADED', isRetryable: true, waitingBytes: mostWaitingBytes })
  room.leave(mostUnderWayBytes)
  await waiting
})

test('the size of arguments is their text and bytes, however deep, and is estimated where there are many', () => {
  const text = 'x'.repeat(1_000)
  expect(sizeOf([{ content: text, parts: [{ text }] }])).toBeGreaterThanOrEqual(4_000)
  expect(sizeOf([new Float32Array(1_000)])).toBeGreaterThanOrEqual(4_000)
  const many = Array.from({ length: 200_000 }, () => text)
  expect(sizeOf([many]) / (200_000 * 2_000)).toBeGreaterThan(0.9)
})
