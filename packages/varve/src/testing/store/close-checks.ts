import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { MemoryClosed } from '../../errors/memory-closed.ts'
import { readMessages } from '../../storage/log/messages.ts'
import { findPartition } from '../../storage/partitions.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, talkSession, userOf } from './check.ts'
import type { DurableCheck } from './durable-checks.ts'

const ada = userOf('acme', 'ada')

/** Lets answered calls resolve. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Closes the store beside accepted calls and checks their outcomes. Returns the contents of the acknowledged ones. */
async function closeBeside(store: StoreUnderTest, isUnderWay: boolean): Promise<readonly string[]> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  const acknowledged: string[] = []
  const follow = (call: Promise<unknown>, content?: string): void =>
    void call.then(
      (value) => {
        outcomes.push({ status: 'fulfilled', value })
        if (content !== undefined) acknowledged.push(content)
      },
      (reason: unknown) => outcomes.push({ status: 'rejected', reason }),
    )
  const contents = Array.from({ length: 6 }, (_, place) => `message ${place}`)
  for (const content of contents) follow(append(store, ada, talkSession, [content]), content)
  for (const _ of contents) follow(store.read(() => findPartition(ada)))
  if (isUnderWay) await turn()
  await store.close()
  await turn()
  equal(outcomes.length, 2 * contents.length, 'every accepted call is answered by the time the store is closed')
  for (const outcome of outcomes) if (outcome.status === 'rejected') ok(outcome.reason instanceof MemoryClosed, String(outcome.reason))
  return acknowledged
}

export const closeChecks: readonly DurableCheck[] = [
  {
    name: 'a close answers every call that was accepted before it, or refuses it with MemoryClosed',
    async run(open) {
      for (const isUnderWay of [false, true]) await closeBeside(await open(), isUnderWay)
    },
  },
  {
    name: 'a closed store refuses calls with MemoryClosed, and closing it again does nothing',
    async run(open) {
      const store = await open()
      await append(store, ada, talkSession, ['before'])
      await Promise.all([store.close(), store.close()])
      await rejects(append(store, ada, talkSession, ['after']), MemoryClosed)
      await rejects(
        store.read(() => findPartition(ada)),
        MemoryClosed,
      )
      await store.close()
    },
  },
]

export const durableCloseChecks: readonly DurableCheck[] = [
  {
    name: 'after a close, the store holds every acknowledged write and no refused one',
    async run(open) {
      const contents: string[] = []
      for (const isUnderWay of [false, true]) {
        contents.push(...(await closeBeside(await open(), isUnderWay)))
        const again = await open()
        deepEqual(
          (await again.read(() => readMessages(ada, talkSession, { limit: 100 }))).map(({ content }) => content).toSorted(),
          contents.toSorted(),
        )
      }
    },
  },
  {
    name: 'closing one of two handles on a place leaves the other working',
    async run(open) {
      const [one, two] = [await open(), await open()]
      const [, stored] = await Promise.allSettled([one.close(), append(two, ada, talkSession, ['beside the close'])])
      equal(stored.status, 'fulfilled')
      equal((await append(two, ada, talkSession, ['after it']))[0]?.seq, 2)
    },
  },
]
