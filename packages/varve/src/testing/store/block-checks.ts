import { deepEqual, equal, rejects } from 'node:assert/strict'
import { listBlocks, readBlock, readRevisions } from '../../blocks/read-blocks.ts'
import { appendToBlock, type BlockAddress, deleteBlock, reorderBlocks, restoreBlock, setBlock } from '../../blocks/write-block.ts'
import { LimitExceeded } from '../../errors/limit-exceeded.ts'
import { NotFound } from '../../errors/not-found.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { partitionId, type PartitionId, projectName } from '../../scope/partition.ts'
import { forget } from '../../storage/erase/erasure.ts'
import { allItems } from '../../storage/derived/items.ts'
import { findDerived, findPartition, usersOf } from '../../storage/partitions.ts'
import { termsAfter } from '../../storage/segment/terms.ts'
import { erasedAfter } from '../../storage/segment/tombstones.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')
const acme = partitionId(projectName('acme'), { kind: 'shared' })
const person = { writer: 'person', during: undefined }
const named = (name: string, session?: typeof talkSession): BlockAddress => ({ name, session })

function set(store: StoreUnderTest, partition: PartitionId, address: BlockAddress, text: string, maxChars?: number) {
  return store.write(() => setBlock(partition, address, { text, maxChars }, person, monday))
}

async function texts(store: StoreUnderTest, partition: PartitionId, session?: typeof talkSession): Promise<string[]> {
  return (await store.read(() => listBlocks(partition, session, { limit: 200 }))).items.map(
    ({ name, text, position }) => `${position} ${name}: ${text}`,
  )
}

/** Returns the rows of a partition's blocks in the index of derived items. */
async function indexed(store: StoreUnderTest, partition: PartitionId): Promise<{ readonly texts: string[]; readonly terms: number }> {
  const derived = (await store.read(() => findDerived(partition)))?.id ?? 0
  return {
    texts: (await store.read(() => allItems(derived))).map(({ content }) => content).toSorted(),
    terms: (await store.read(() => termsAfter(derived, 0, 100))).length,
  }
}

export const blockChecks: readonly ProgramCheck[] = [
  {
    name: 'each scope keeps its own order of blocks, and a changed block keeps its place',
    async run(store) {
      for (const name of ['one', 'two', 'three']) await set(store, ada, named(name), name)
      await set(store, ada, named('one', talkSession), 'of talk')
      await set(store, acme, named('one'), 'shared')
      await store.write(() => appendToBlock(ada, named('one'), { text: 'more', separator: ' + ' }, person, monday))
      deepEqual(await texts(store, ada), ['1 one: one + more', '2 two: two', '3 three: three', '1 one: shared'])
      deepEqual(await texts(store, ada, talkSession), ['1 one: of talk'])
      await store.write(() => reorderBlocks(ada, ['three'], undefined))
      await store.write(() => deleteBlock(ada, named('one'), uuidv7(monday), monday))
      deepEqual(await texts(store, ada), ['1 three: three', '2 two: two', '1 one: shared'])
      deepEqual(await texts(store, acme), ['1 one: shared'])
      deepEqual((await store.read(() => usersOf('acme', { limit: 10 }))).items, ['ada'])
    },
  },
  {
    name: 'a refused change leaves nothing behind: no partition, no session, no revision',
    async run(store) {
      await rejects(set(store, ada, named('one', talkSession), 'x'.repeat(11), 10), LimitExceeded)
      equal(await store.read(() => findPartition(ada)), undefined)
      await set(store, ada, named('one'), 'x'.repeat(10), 10)
      await rejects(
        store.write(() => appendToBlock(ada, named('one'), { text: 'y', separator: '' }, person, monday)),
        LimitExceeded,
      )
      await rejects(
        store.write(() => restoreBlock(ada, named('one'), 2, person, monday)),
        NotFound,
      )
      await rejects(
        store.write(() => restoreBlock(ada, named('one', talkSession), 1, person, monday)),
        NotFound,
      )
      equal((await store.read(() => readRevisions(ada, 'one', undefined, { limit: 10 }))).items.length, 1)
    },
  },
  {
    name: 'each text of a block is a revision with its writer, and a tool’s revision names the messages so far',
    async run(store) {
      await append(store, ada, talkSession, ['one', 'two'])
      await set(store, ada, named('plan'), 'first')
      await store.write(() =>
        setBlock(ada, named('plan'), { text: 'second', maxChars: undefined }, { writer: 'agent', during: talkSession }, monday + 1),
      )
      await store.write(() => restoreBlock(ada, named('plan'), 1, person, monday + 2))
      deepEqual(
        (await store.read(() => readRevisions(ada, 'plan', undefined, { limit: 2 }))).items.map(({ revision, text, writer, lineage }) => ({
          revision,
          text,
          writer,
          lineage,
        })),
        [
          { revision: 3, text: 'first', writer: 'person', lineage: [] },
          { revision: 2, text: 'second', writer: 'agent', lineage: [{ session: talkSession, from: 1, to: 2 }] },
        ],
      )
      const block = await store.read(() => readBlock(ada, 'plan', undefined))
      deepEqual([block?.revision, block?.writer, block?.createdAt, block?.updatedAt], [3, 'person', monday, monday + 2])
    },
  },
  {
    name: 'the index holds only the newest text of a block, and a tombstone for each older text',
    async run(store) {
      await set(store, ada, named('plan'), 'first')
      await set(store, ada, named('plan'), 'second')
      await set(store, ada, named('plan', talkSession), 'third')
      deepEqual(await indexed(store, ada), { texts: ['second', 'third'], terms: 2 })
      const derived = (await store.read(() => findDerived(ada)))?.id ?? 0
      equal((await store.read(() => erasedAfter(derived, 0)))?.length, 1)
      await store.write(() => deleteBlock(ada, named('plan'), uuidv7(monday), monday))
      deepEqual(await indexed(store, ada), { texts: ['third'], terms: 1 })
    },
  },
  {
    name: 'forgetting a session or a partition erases its blocks, and hands over every text that they had',
    async run(store) {
      const [early, late] = ['what it said at first', 'what it said at last']
      for (const session of [undefined, talkSession])
        for (const text of [early, late]) await set(store, ada, named('the name of it', session), text)
      for (const selection of [{ session: talkSession }, { all: true }] as const) {
        const { receipt, needles } = await store.write(() => forget(ada, selection, uuidv7(monday), monday))
        equal(receipt.counts['block'], 1)
        const words = (needles ?? []).map((needle) => Buffer.from(needle).toString())
        for (const word of ['the name of it', early, late]) equal(words.includes(word), true, word)
      }
      deepEqual(await texts(store, ada), [])
      deepEqual(await indexed(store, ada), { texts: [], terms: 0 })
    },
  },
]
