import { deepEqual, equal } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { forget } from '../../storage/erase/erasure.ts'
import { claimErasures, markErasuresDone, getReceipt, pendingErasures, receipts, releaseErasures } from '../../storage/erase/receipts.ts'
import { saveContext, contextKeys, contextsKept, shinglesOfContexts } from '../../storage/log/contexts.ts'
import { findPartition } from '../../storage/partitions.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')

async function erased(store: StoreUnderTest): Promise<string> {
  await append(store, ada, talkSession, ['to be forgotten'])
  const { receipt } = await store.write(() => forget(ada, { before: monday + 1 }, uuidv7(monday), monday))
  return receipt.id
}

export const receiptChecks: readonly ProgramCheck[] = [
  {
    name: 'receipts are kept, listed newest first, and found by their ids',
    async run(store) {
      const ids = [await erased(store), await erased(store)]
      deepEqual(
        (await store.read(() => receipts({ limit: 10 }))).items.map(({ id }) => id),
        ids.toReversed(),
      )
      deepEqual(await store.read(() => getReceipt(ids[0] ?? '')), {
        id: ids[0],
        counts: { message: 1 },
        logical: 'done',
        physical: 'pending',
        at: monday,
      })
      equal(await store.read(() => getReceipt('none')), undefined)
      equal(await store.read(() => getReceipt(uuidv7(monday))), undefined)
    },
  },
  {
    name: 'one holder at a time has an erasure, until its lease ends or is given back',
    async run(store) {
      const id = await erased(store)
      const claim = (holder: string, now: number) => store.write(() => claimErasures(holder, now, now + 60))
      deepEqual((await claim('one', 0)).ids, [id])
      deepEqual((await claim('two', 59)).ids, [])
      deepEqual((await claim('two', 60)).ids, [id])
      const { upTo } = await claim('two', 61)
      await store.write(() => markErasuresDone('one', upTo, monday))
      equal((await store.read(() => pendingErasures())).length, 1)
      await store.write(() => releaseErasures('two', 'the reason'))
      const [pending] = await store.read(() => pendingErasures())
      deepEqual([pending?.reason, pending?.attempts], ['the reason', 1])
      deepEqual((await claim('one', 62)).ids, [id])
    },
  },
  {
    name: 'finishing marks the claimed erasures as done, and no later ones',
    async run(store) {
      const first = await erased(store)
      const { upTo } = await store.write(() => claimErasures('one', 0, 60))
      const second = await erased(store)
      await store.write(() => claimErasures('one', 0, 60))
      await store.write(() => markErasuresDone('one', upTo, monday + 7))
      equal((await store.read(() => getReceipt(first)))?.doneAt, monday + 7)
      equal((await store.read(() => getReceipt(second)))?.physical, 'pending')
    },
  },
  {
    name: `a session keeps its own last ${contextsKept} contexts, and sees no other session's`,
    async run(store) {
      await append(store, ada, talkSession, ['so that the partition is there'])
      const owner = (await store.read(() => findPartition(ada)))?.id ?? 0
      for (let place = 0; place < contextsKept + 3; place += 1) {
        const shingles = new Uint8Array([place, 0, 0, 0])
        await store.write(() => saveContext(ada, talkSession, { id: uuidv7(monday), messages: [], shingles, epochs: [] }, monday))
      }
      const keys = await store.read(() => contextKeys(owner, talkSession))
      const shown = await store.read(() =>
        shinglesOfContexts(
          owner,
          keys.map(({ id }) => id),
        ),
      )
      deepEqual(
        shown.map(({ shingles }) => shingles[0] ?? 0).toSorted((a, b) => a - b),
        Array.from({ length: contextsKept }, (_, place) => place + 3),
      )
      deepEqual(await store.read(() => contextKeys(owner, 'tal%')), [])
    },
  },
]
