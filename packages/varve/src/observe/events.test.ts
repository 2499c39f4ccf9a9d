import { expect, test } from 'vitest'
import { EventHub, type MemoryEvent, maxWaitingEvents } from './events.ts'

const event = (at: number): MemoryEvent => ({ type: 'erased', at, receipts: 1 })

test('a listener gets events in order, those that came before it asked too', async () => {
  const hub = new EventHub()
  const listener = hub.listen()
  hub.emit(event(1))
  const asked = [listener.next(), listener.next()]
  hub.emit(event(2))
  expect((await Promise.all(asked)).map(({ value }) => value.at)).toEqual([1, 2])
})

test('a slow listener loses the oldest, and holds no more than the bound', async () => {
  const hub = new EventHub()
  const listener = hub.listen()
  for (let at = 0; at < maxWaitingEvents + 5; at += 1) hub.emit(event(at))
  expect((await listener.next()).value.at).toBe(5)
})

test('leaving the loop, and closing, end it', async () => {
  const hub = new EventHub()
  const left = hub.listen()
  hub.emit(event(1))
  for await (const _ of left) break
  expect(await left.next()).toEqual({ value: undefined, done: true })
  const waiting = hub.listen().next()
  hub.close()
  expect(await waiting).toEqual({ value: undefined, done: true })
  expect(await hub.listen().next()).toEqual({ value: undefined, done: true })
})
