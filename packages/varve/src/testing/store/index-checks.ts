import { deepEqual, equal, ok } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { Segments } from '../../index/segments.ts'
import { recall } from '../../recall/recall.ts'
import { recallRequest } from '../../recall/request.ts'
import { forget, replaceMessage } from '../../storage/erase/erasure.ts'
import { termSizes, termsAfter } from '../../storage/segment/terms.ts'
import { findPartition } from '../../storage/partitions.ts'
import { answer } from '../../storage/program.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, prepared, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')
const roomy = 64 * 1024 * 1024

async function found(store: StoreUnderTest, segments: Segments, query: string, owner = ada) {
  return store.read(() => recall(segments, owner, recallRequest({ query }, monday)))
}

export const indexChecks: readonly ProgramCheck[] = [
  {
    name: 'terms are read in the order of their ordinals, from any ordinal on; their sizes are read newest first',
    async run(store) {
      await append(store, ada, talkSession, ['one', 'two', 'three', 'four'])
      const owner = (await store.read(() => findPartition(ada)))?.id ?? 0
      const rows = await store.read(() => termsAfter(owner, 1, 2))
      deepEqual(
        rows.map(({ ord }) => ord),
        [2, 3],
      )
      deepEqual(
        rows.map(({ bodies, from, to }) => [...bodies.subarray(from, to)]),
        ['two', 'three'].map((word) => [...prepared(word).terms]),
      )
      const sizes = await store.read(() => termSizes(owner, 4, 10))
      deepEqual(
        sizes.map(({ ord }) => ord),
        [3, 2, 1],
      )
      equal(sizes[0]?.bytes, (rows[1]?.to ?? 0) - (rows[1]?.from ?? 0))
    },
  },
  {
    name: 'an index that followed every change answers like an index that is loaded afresh',
    async run(store) {
      const followed = new Segments(roomy)
      const appended = await append(store, ada, talkSession, ['the ferry leaves at nine', 'the ferry is late', 'a kiosk by the pier'])
      await found(store, followed, 'ferry')
      await store.write(() =>
        replaceMessage(ada, appended[0]?.id ?? '', () => answer(prepared('the pier is closed')), uuidv7(monday), monday),
      )
      await found(store, followed, 'ferry')
      await append(store, ada, talkSession, ['no ferry on sundays'])
      await store.write(() => forget(ada, { messages: [appended[1]?.id ?? ''] }, uuidv7(monday), monday))
      for (const query of ['ferry', 'pier kiosk', 'sundays', 'nothing of it', '']) {
        deepEqual(await found(store, followed, query), await found(store, new Segments(roomy), query))
      }
      const hits = (await found(store, followed, 'ferry')).hits.map(({ text }) => text)
      ok(hits.includes('no ferry on sundays') && !hits.includes('the ferry is late'))
    },
  },
  {
    name: 'the words of another partition change no score',
    async run(store) {
      const segments = new Segments(roomy)
      await append(store, ada, talkSession, ['the ferry leaves at nine', 'the kiosk opens at ten'])
      const before = await found(store, segments, 'ferry kiosk')
      equal(before.hits.length, 2)
      await append(
        store,
        userOf('acme', 'bob'),
        talkSession,
        Array.from({ length: 50 }, (_, place) => `ferry ferry kiosk ${place}`),
      )
      deepEqual(await found(store, segments, 'ferry kiosk'), before)
      deepEqual(await found(store, new Segments(roomy), 'ferry kiosk'), before)
    },
  },
]
