import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { itemTerms } from '../../index/item-terms.ts'
import { claim } from '../../storage/claims.ts'
import { type Composed, finishReading, type ReadState, storeDigest, storeParts } from '../../storage/derived/distilled.ts'
import { forget, replaceMessage } from '../../storage/erase/erasure.ts'
import { allItems, itemKinds, itemsOfSession } from '../../storage/derived/items.ts'
import { bitOf } from '../../storage/layers.ts'
import { findDerived, findPartition } from '../../storage/partitions.ts'
import { readMessages } from '../../storage/log/messages.ts'
import type { NewPart } from '../../storage/derived/part-stores.ts'
import { partsOf } from '../../storage/derived/parts.ts'
import { answer } from '../../storage/program.ts'
import { termsAfter } from '../../storage/segment/terms.ts'
import { erasedAfter } from '../../storage/segment/tombstones.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, prepared, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')
const layers = bitOf('gists') | bitOf('bank')
const minute = 60_000
const monthPath = '2026/2026-01/2026-W02'
const dayPath = `${monthPath}/2026-01-05`

/** Makes a part: a span's text for a layer. */
export function part(layer: number, from: number, to: number, text: string): NewPart {
  return {
    layer,
    from,
    to,
    messages: to - from + 1,
    sitting: '2026-01-05',
    firstAt: monday,
    lastAt: monday,
    sentences: [{ text, from: [from] }],
    writer: 'extractive',
    provisional: false,
  }
}

/** Makes the composed item of a layer, after a session is read. */
export function composed(layer: number, text: string, basis: number, spans: readonly (readonly [number, number])[]): Composed {
  const isGist = layer === bitOf('gists')
  const kind = isGist ? itemKinds.gist : itemKinds.bank
  return {
    layer,
    kind,
    period: isGist ? '' : dayPath,
    basis,
    item: {
      kind,
      rung: 0,
      period: isGist ? '' : dayPath,
      sentences: [{ text, from: [1] }],
      spans,
      madeOf: [],
      hand: null,
      handSeq: 0,
      messages: 2,
      conversations: 1,
      firstAt: monday,
      lastAt: monday,
      writer: 'extractive',
      provisional: false,
      ...itemTerms(text, 'en'),
    },
  }
}

/** Makes a session that `holder` read to its end: two parts a layer, a gist and a leaf. */
async function distilled(store: StoreUnderTest, holder = 'one'): Promise<{ read: ReadState; partition: number }> {
  await append(store, ada, talkSession, ['one', 'two', 'three', 'four'])
  const owner = await store.read(() => findPartition(ada))
  const session = 1
  const partition = owner?.id ?? 0
  equal(await store.write(() => claim('session', { ref: session, partition }, { holder, now: monday, until: monday + minute })), 0)
  const read = { partition, session, epoch: 0, holder, layers }
  const parts = [bitOf('gists'), bitOf('bank')].flatMap((layer) => [
    part(layer, 1, 2, `part one of layer ${layer}`),
    part(layer, 3, 4, `part two of layer ${layer}`),
  ])
  equal(await store.write(() => storeParts(read, parts, monday, monday + minute)), true)
  const whole = [[1, 4]] as const
  const finished = {
    seq: 4,
    wanted: layers,
    provisional: 0,
    composed: [composed(bitOf('gists'), 'the gist of it all', 0, whole), composed(bitOf('bank'), 'the leaf of it all', 0, whole)],
  }
  equal(await store.write(() => finishReading(read, finished, monday)), true)
  return { read, partition }
}

async function digested(store: StoreUnderTest): Promise<number> {
  const derived = await store.read(() => findDerived(ada))
  const leaf = (await store.read(() => itemsOfSession(1, 1))).find(({ kind }) => kind === itemKinds.bank)
  const { item } = composed(bitOf('bank'), 'the digest of the day', 0, [])
  if (item === undefined || leaf === undefined || derived === undefined) throw new RangeError('there is no leaf')
  const digest = { item: { ...item, rung: 1, spans: [], madeOf: [[leaf.ord, uuidv7(monday)] as const] }, children: [leaf.ord] }
  await store.write(() => claim('bank', { ref: derived.id, partition: derived.id }, { holder: 'one', now: monday, until: monday + minute }))
  equal(await store.write(() => storeDigest(digest, { partition: derived.id, basis: 0, holder: 'one' }, monday, monday + minute)), true)
  return derived.id
}

async function texts(store: StoreUnderTest, partition: number): Promise<string[]> {
  return (await store.read(() => allItems(partition))).map(({ content }) => content).toSorted()
}

export const derivedChecks: readonly ProgramCheck[] = [
  {
    name: 'derived items are stored with their terms, in a partition of their own',
    async run(store) {
      const { partition } = await distilled(store)
      const derived = await store.read(() => findDerived(ada))
      notEqual(derived?.id, partition)
      deepEqual([derived?.messages, derived?.seq], [2, 2])
      deepEqual(await texts(store, derived?.id ?? 0), ['the gist of it all', 'the leaf of it all'])
      equal((await store.read(() => termsAfter(derived?.id ?? 0, 0, 10))).length, 2)
      equal((await store.read(() => partsOf(1, 1))).length, 4)
    },
  },
  {
    name: 'a reader stores nothing unless it holds the session and read it after the last erasure',
    async run(store) {
      const { read, partition } = await distilled(store)
      equal(await store.write(() => storeParts(read, [part(bitOf('gists'), 1, 2, 'late')], monday, monday + minute)), false)
      equal(await store.write(() => claim('session', { ref: 1, partition }, { holder: 'two', now: monday, until: monday + minute })), 0)
      equal(
        await store.write(() => claim('session', { ref: 1, partition }, { holder: 'three', now: monday, until: monday + minute })),
        undefined,
      )
      equal(
        await store.write(() => storeParts({ ...read, holder: 'three' }, [part(bitOf('gists'), 1, 2, 'late')], monday, monday + minute)),
        false,
      )
      const [first] = await store.read(() => readMessages(ada, talkSession, { limit: 1, before: 2 }))
      await store.write(() => replaceMessage(ada, first?.id ?? '', () => answer(prepared('anew')), uuidv7(monday), monday))
      equal(
        await store.write(() => storeParts({ ...read, holder: 'two' }, [part(bitOf('gists'), 1, 2, 'late')], monday, monday + minute)),
        false,
      )
      equal(
        await store.write(() =>
          storeParts({ ...read, holder: 'two', epoch: 1 }, [part(bitOf('gists'), 1, 2, 'in time')], monday, monday + minute),
        ),
        true,
      )
      equal(
        (await store.read(() => partsOf(1, 1))).some(({ content }) => content === 'late'),
        false,
      )
    },
  },
  {
    name: 'another holder may claim a lease that ran out, and then the old holder stores nothing',
    async run(store) {
      const { read, partition } = await distilled(store)
      const claimed = (holder: string, now: number) =>
        store.write(() => claim('session', { ref: 1, partition }, { holder, now, until: now + minute }))
      equal(await claimed('slow', monday), 0)
      equal(await claimed('quick', monday + minute), 0)
      equal(
        await store.write(() => storeParts({ ...read, holder: 'slow' }, [part(bitOf('gists'), 1, 2, 'slow')], monday, monday + minute)),
        false,
      )
      equal(
        await store.write(() => storeParts({ ...read, holder: 'quick' }, [part(bitOf('gists'), 1, 2, 'quick')], monday, monday + minute)),
        true,
      )
    },
  },
  {
    name: 'a reading does not overwrite an item that another one wrote meanwhile, and it leaves the cursor',
    async run(store) {
      const { read, partition } = await distilled(store)
      await store.write(() => claim('session', { ref: 1, partition }, { holder: 'one', now: monday, until: monday + minute }))
      const late = { seq: 4, wanted: layers, provisional: 0, composed: [composed(bitOf('gists'), 'written over', 0, [[1, 4]])] }
      equal(await store.write(() => finishReading(read, late, monday)), false)
      equal(
        (await store.read(() => itemsOfSession(1, 1))).some(({ content }) => content === 'written over'),
        false,
      )
    },
  },
  {
    name: 'forgetting a message erases its part, the gist, the leaf and all digests above, hands their bytes over, and keeps the rest',
    async run(store) {
      await distilled(store)
      const derived = await digested(store)
      const before = await store.read(() => findDerived(ada))
      const messages = await store.read(() => termsAfter(1, 0, 10))
      equal(messages.length, 4)
      const appended = await append(store, ada, talkSession, ['five'])
      equal(appended[0]?.seq, 5)
      const { receipt: none } = await store.write(() => forget(ada, { messages: [appended[0]?.id ?? ''] }, uuidv7(monday), monday))
      deepEqual(none.counts, { message: 1 })
      deepEqual(await texts(store, derived), ['the digest of the day', 'the gist of it all', 'the leaf of it all'])
      const { receipt, needles } = await store.write(() =>
        forget(ada, { session: talkSession, before: monday + 1 }, uuidv7(monday), monday),
      )
      deepEqual(receipt.counts, { message: 4, gist: 1, bank: 2 })
      deepEqual(await texts(store, derived), [])
      equal((await store.read(() => partsOf(1, 1))).length, 0)
      const words = (needles ?? []).map((needle) => Buffer.from(needle).toString())
      for (const text of ['part one of layer 1', 'the gist of it all', 'the leaf of it all', 'the digest of the day'])
        equal(
          words.some((word) => word.includes(text)),
          true,
          text,
        )
      equal((await store.read(() => erasedAfter(derived, before?.epoch ?? 0)))?.length, 3)
    },
  },
  {
    name: 'forgetting all of a partition also erases everything derived from it',
    async run(store) {
      await distilled(store)
      await digested(store)
      const { receipt } = await store.write(() => forget(ada, { all: true }, uuidv7(monday), monday))
      deepEqual(receipt.counts, { message: 4, session: 1, gist: 1, bank: 2 })
      equal(await store.read(() => findDerived(ada)), undefined)
      equal((await store.read(() => partsOf(1, 1))).length, 0)
    },
  },
]
