import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { Observer } from '../observe/observer.ts'
import type { EngineCall } from '../engine/engine.ts'
import type { DueWork } from '../upkeep/reads.ts'
import { Upkeep } from '../upkeep/upkeep.ts'
import { upkeepStore } from './upkeep-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Background upkeep of a store that notes what it is asked, by seconds, and has the given work. */
function idling(longestRestMs: number, due: () => Partial<DueWork> = () => ({})) {
  const asked: Record<string, number[]> = {}
  const began = performance.now()
  // The answers to the calls that an idle process makes.
  const answers: Readonly<Record<string, () => object>> = {
    'upkeep.dueWork': () => ({ erasures: false, embeddings: false, layers: false, ...due() }),
    'upkeep.turn': () => ({ done: 0, settled: true, work: [] }),
    'privacy.finish': () => ({ done: 0, settled: true, left: 0 }),
  }
  const call: EngineCall = async (_kind, name) => {
    ;(asked[name] ??= []).push(Math.round((performance.now() - began) / 1_000))
    return answers[name]?.()
  }
  const observer = new Observer(systemClock, { warn: (text) => (asked[text] = []) })
  const means = { embeddingModel: undefined, calls: [], layers: 0, holder: '0193-ffff' }
  const upkeep = new Upkeep(upkeepStore({ call, longestRestMs }), systemClock, observer, means)
  upkeep.startBackground()
  return { asked, upkeep, wait: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000) }
}

test('an idle process asks one thing, more and more rarely', async () => {
  const { asked, upkeep, wait } = idling(60_000)
  await wait(300)
  expect(asked).toEqual({ 'upkeep.dueWork': [1, 3, 7, 15, 31, 63, 123, 183, 243] })
  await upkeep.stop()
})

test('after a write of this process it looks soon', async () => {
  const { asked, upkeep, wait } = idling(60_000)
  await wait(70)
  upkeep.hint()
  await wait(5)
  expect(asked).toEqual({ 'upkeep.dueWork': [1, 3, 7, 15, 31, 63, 71, 73] })
  await upkeep.stop()
})

test('a look wakes those whose work is due, and nobody else', async () => {
  const { asked, upkeep, wait } = idling(60_000, () => (asked['upkeep.dueWork']?.length === 3 ? { erasures: true } : {}))
  await wait(10)
  expect(asked).toEqual({ 'upkeep.dueWork': [1, 3, 7], 'privacy.finish': [7] })
  await upkeep.stop()
  const other = idling(60_000, () => ({ layers: true }))
  await other.wait(2)
  expect(other.asked).toEqual({ 'upkeep.dueWork': [1], 'upkeep.turn': [1] })
  await other.upkeep.stop()
})
