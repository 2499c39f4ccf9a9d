import { expect, test } from 'vitest'
import { ConnectionTurns } from './connection-turns.ts'

test('so many run at a time, in the order of arrival, and a failed one makes room', async () => {
  const turns = new ConnectionTurns(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const works = Array.from({ length: 5 }, (_, place) =>
    turns.run(async () => {
      begun.push(place)
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
      if (place === 1) throw new RangeError('it failed')
      return place
    }),
  )
  const outcomes = Promise.allSettled(works)
  for (let ended = 0; ended < works.length; ended += 1) {
    while (ends[ended] === undefined) await new Promise((resolve) => setImmediate(resolve))
    ends[ended]?.()
  }
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect([begun, most, running]).toEqual([[0, 1, 2, 3, 4], 2, 0])
})
