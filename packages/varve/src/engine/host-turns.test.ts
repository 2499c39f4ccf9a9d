import { expect, test } from 'vitest'
import { HostTurns } from './host-turns.ts'

test('a loop of calls without an end lets the event loop in', async () => {
  const turns = new HostTurns()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 0)
  // Without turns this would loop for ever: a promise that is already resolved lets no timer in.
  while (!stop.signal.aborted) await (turns.next() ?? Promise.resolve())
  expect(stop.signal.aborted).toBe(true)
})
