import { expect, test } from 'vitest'
import type { Limits } from '../distil/limits.ts'
import { Leases, type LeasedWork } from './leased.ts'
import { turnOf } from './turns.ts'

const never = new AbortController().signal
const over: Limits = { until: -1, calls: Infinity, signal: never }
const ample: Limits = { until: Infinity, calls: Infinity, signal: never }

/** Makes work on numbers that are due until they are done; some are held by another. */
function world(due: readonly number[], held: readonly number[] = [], ending?: AbortController) {
  const left = new Set(due)
  const released: unknown[] = []
  const write = {
    claim: async (_kind: string, { ref }: { ref: number }) => (held.includes(ref) ? undefined : 0),
    release: async (...args: unknown[]) => void released.push(args),
  }
  const leases = new Leases(write, 'here', { warn: () => undefined })
  const work: LeasedWork<number, boolean> = {
    kind: 'notes',
    piece: (ref) => ({ ref, partition: 1 }),
    work: async (ref) => {
      ending?.abort()
      if (ref < 0) throw new RangeError('a provider’s own words')
      return left.delete(ref)
    },
    giveBack: () => ({}),
    progress: (isDone) => ({ done: Number(isDone === true), moved: isDone === true, ends: false }),
  }
  return { released, turn: (limits: Limits) => turnOf(leases, work, async () => [...left], limits) }
}

test('a turn does what is due until nothing is, and gives each piece back under the name that held it', async () => {
  const { turn, released } = world([1, 2])
  expect(await turn(ample)).toEqual({ done: 2, settled: true })
  expect(released).toEqual([
    ['notes', 1, 'here/1', {}],
    ['notes', 2, 'here/2', {}],
  ])
})

test('one piece is done however short the time is', async () => {
  expect(await world([1, 2]).turn(over)).toEqual({ done: 1, settled: false })
})

test('what others hold is passed over, and leaves the turn unsettled', async () => {
  expect(await world([1, 2], [1]).turn(ample)).toEqual({ done: 1, settled: false })
})

test('a piece that throws is put off for a reason of ours, or for none when the work was aborted', async () => {
  const failing = world([-1])
  await expect(failing.turn(ample)).rejects.toThrow(RangeError)
  expect(failing.released).toEqual([['notes', -1, 'here/1', { reason: 'RangeError' }]])
  const ending = new AbortController()
  const aborted = world([-2], [], ending)
  await expect(aborted.turn({ ...ample, signal: ending.signal })).rejects.toThrow(RangeError)
  expect(aborted.released).toEqual([['notes', -2, 'here/1', {}]])
})
