import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StoreBusy } from '../errors/store-busy.ts'
import type { ErasedSince, ErasureMark } from '../storage/journal/erased-since.ts'
import { ErasureWatch, type HeldWords } from './erasure-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const nothing: ErasedSince = { place: 0, ahead: [], projects: [], isAll: false }
const inPier = (place: number): ErasedSince => ({ ...nothing, place, projects: [{ project: 'pier', erasures: 1 }] })

/** A journal that gives the answers of a test in turn, and the last one for ever. */
function scripted(...answers: readonly (ErasedSince | Error | Promise<ErasedSince>)[]) {
  const asked: (number | undefined)[] = []
  const erasedSince = async (after: ErasureMark | undefined): Promise<ErasedSince> => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? nothing
    asked.push(after?.place)
    if (answer instanceof Error) throw answer
    return answer
  }
  return { asked, erasedSince }
}

function heldIn(watch: ErasureWatch): { readonly dropped: (string | undefined)[]; isAny: boolean } {
  const held = { dropped: new Array<string | undefined>(), isAny: true }
  const port: HeldWords = { drop: (project) => void held.dropped.push(project), holds: () => held.isAny }
  watch.add(port)
  return held
}

test('the store is looked at while something is held, and never by a server that holds nothing', async () => {
  const journal = scripted(nothing, inPier(7), { ...nothing, place: 7 })
  const watch = await ErasureWatch.start(journal, 1_000)
  const held = heldIn(watch)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(journal.asked).toEqual([undefined])
  watch.follow()
  watch.follow()
  await vi.advanceTimersByTimeAsync(3_500)
  expect(journal.asked).toEqual([undefined, 0, 7, 7])
  expect(held.dropped).toEqual(['pier'])
  held.isAny = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(journal.asked).toHaveLength(4)
  expect(vi.getTimerCount()).toBe(0)
})

test('a look that is asked for during another reads the store after it, once for all who wait', async () => {
  const slow = Promise.withResolvers<ErasedSince>()
  const journal = scripted(nothing, slow.promise, inPier(9))
  const watch = await ErasureWatch.start(journal)
  const held = heldIn(watch)
  const first = watch.look()
  const later = [watch.look(), watch.look(), watch.look()]
  slow.resolve({ ...nothing, place: 3 })
  await first
  expect(held.dropped).toEqual([])
  await Promise.all(later)
  expect(journal.asked).toEqual([undefined, 0, 3])
  expect(held.dropped).toEqual(['pier'])
})

test('a store that cannot be read refuses whoever asks for something held, and the next look sees the erasure', async () => {
  const busy = new StoreBusy({ store: 'varve.db' })
  const journal = scripted(nothing, busy, busy, busy, inPier(4))
  const watch = await ErasureWatch.start(journal, 1_000)
  const held = heldIn(watch)
  await expect(watch.look()).rejects.toBe(busy)
  await watch.tryLook()
  watch.follow()
  await vi.advanceTimersByTimeAsync(2_500)
  expect(held.dropped).toEqual(['pier'])
  watch.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(journal.asked).toEqual([undefined, 0, 0, 0, 0])
})

test('after a time in which nothing was held the store is looked at before something is, and not again while it is', async () => {
  const journal = scripted(nothing, { ...nothing, place: 5 })
  const watch = await ErasureWatch.start(journal, 1_000)
  heldIn(watch)
  await watch.ready()
  watch.follow()
  await watch.ready()
  expect(journal.asked).toEqual([undefined, 0])
  watch.stop()
})
