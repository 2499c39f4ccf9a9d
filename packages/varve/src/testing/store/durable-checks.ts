import { deepEqual, equal } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { Segments } from '../../index/segments.ts'
import { recall } from '../../recall/recall.ts'
import { recallRequest } from '../../recall/request.ts'
import { forget } from '../../storage/erase/erasure.ts'
import { readMessages } from '../../storage/log/messages.ts'
import { getReceipt } from '../../storage/erase/receipts.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, monday, talkSession, userOf } from './check.ts'

/** A check on a store that is opened more than once. */
export interface DurableCheck {
  readonly name: string
  run(open: () => Promise<StoreUnderTest>): Promise<void>
}

const ada = userOf('acme', 'ada')
const roomy = 64 * 1024 * 1024
const ferry = recallRequest({ query: 'ferry' }, monday)

export const durableChecks: readonly DurableCheck[] = [
  {
    name: 'a reopened store gives back every acknowledged message and score unchanged',
    async run(open) {
      const first = await open()
      await append(first, ada, talkSession, ['the ferry leaves at nine', 'so it does'])
      const messages = await first.read(() => readMessages(ada, talkSession, { limit: 10 }))
      const recalled = await first.read(() => recall(new Segments(roomy), ada, ferry))
      await first.close()
      const second = await open()
      deepEqual(await second.read(() => readMessages(ada, talkSession, { limit: 10 })), messages)
      deepEqual(await second.read(() => recall(new Segments(roomy), ada, ferry)), recalled)
      equal(recalled.hits.length, 2)
    },
  },
  {
    name: 'a pending erasure of bytes outlives a close',
    async run(open) {
      const first = await open()
      await append(first, ada, talkSession, ['the ferry leaves at nine'])
      const { receipt } = await first.write(() => forget(ada, { session: talkSession }, uuidv7(monday), monday))
      await first.close()
      const second = await open()
      deepEqual(await second.read(() => getReceipt(receipt.id)), receipt)
    },
  },
  {
    name: 'two handles on a place see each other’s writes and erasures, and number messages without a gap',
    async run(open) {
      const [one, two] = [await open(), await open()]
      const index = new Segments(roomy)
      await append(one, ada, talkSession, ['the ferry leaves at nine'])
      equal((await two.read(() => recall(index, ada, ferry))).hits.length, 1)
      const both = await Promise.all(
        Array.from({ length: 20 }, (_, place) => append(place % 2 === 0 ? one : two, ada, talkSession, [`the ferry ${place}`])),
      )
      deepEqual(
        both
          .flat()
          .map(({ seq }) => seq)
          .toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, place) => place + 2),
      )
      await one.write(() => forget(ada, { before: monday + 1 }, uuidv7(monday), monday))
      deepEqual(await two.read(() => recall(index, ada, ferry)), { hits: [], confidence: 0, degraded: [] })
    },
  },
]
