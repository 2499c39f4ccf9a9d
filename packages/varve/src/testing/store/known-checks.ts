import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { itemTerms } from '../../index/item-terms.ts'
import { eraseProject, forget, previewForget } from '../../storage/erase/erasure.ts'
import type { ForgetSelection } from '../../storage/erase/forget-selection.ts'
import { rowsBefore, rowsOfFact, rowsOfSlots, sourcesAt } from '../../storage/known/assertion-rows.ts'
import { allAssertions, type NewAssertion, storeAssertion } from '../../storage/known/assertions.ts'
import { mergedNames, mergeName } from '../../storage/known/entities.ts'
import { ensureKnownOf, findKnown, findPartition, type PartitionRow, savePartition } from '../../storage/partitions.ts'
import { storeRead } from '../../storage/known/known.ts'
import { sessionRowById } from '../../storage/log/sessions.ts'
import { termsAfter } from '../../storage/segment/terms.ts'
import { erasedAfter } from '../../storage/segment/tombstones.ts'
import { uuidText } from '../../storage/uuid-bytes.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')

/** Makes a statement, read from the session with this number or made by hand (0). Its messages are those of session 1. */
function stated(object: string, session: number, seqs: readonly number[], changes: Partial<NewAssertion> = {}): NewAssertion {
  const { terms, traits } = itemTerms(`Mia likes ${object}`, 'en')
  return {
    says: 'is',
    subject: 'Mia',
    predicate: 'likes',
    object,
    subjectKey: 'mia',
    predicateKey: 'likes',
    objectKey: object.toLowerCase(),
    insteadKey: null,
    validFrom: null,
    validUntil: null,
    saidAt: monday,
    confidence: 1,
    single: false,
    phrase: null,
    whenFrom: null,
    whenTo: null,
    dependsOn: [],
    writer: session === 0 ? 'person' : 'extractive',
    session,
    sources: seqs.map((seq) => ({ session: 1, seq, from: 0, to: 3 })),
    terms,
    traits,
    ...changes,
  }
}

interface Told {
  readonly ids: readonly string[]
  readonly facts: readonly string[]
  readonly known: number
}

/** Stores four messages of a session, and statements about them. */
async function told(store: StoreUnderTest, statements: readonly NewAssertion[]): Promise<Told> {
  const ids = (await append(store, ada, talkSession, ['one', 'two', 'three', 'four'])).map(({ id }) => id)
  const source = await store.read(() => findPartition(ada))
  const facts = await store.write(function* () {
    const owner = yield* ensureKnownOf(source?.id ?? 0, monday)
    const made: string[] = []
    for (const one of statements) made.push(uuidText((yield* storeAssertion(owner, one, monday)).fact))
    yield* savePartition(owner)
    return made
  })
  return { ids, facts, known: (await known(store))?.id ?? 0 }
}

function known(store: StoreUnderTest): Promise<PartitionRow | undefined> {
  return store.read(() => findKnown(ada))
}

async function objects(store: StoreUnderTest, partition: number): Promise<string[]> {
  return (await store.read(() => allAssertions(partition))).map(({ object }) => object).toSorted()
}

/** Forgets, and returns the counts, which must equal the preview's. */
async function forgetting(store: StoreUnderTest, selection: ForgetSelection) {
  const preview = await store.read(() => previewForget(ada, selection))
  const { receipt, needles } = await store.write(() => forget(ada, selection, uuidv7(monday), monday))
  deepEqual(receipt.counts, preview)
  return { fact: receipt.counts['fact'] ?? 0, words: (needles ?? []).map((needle) => Buffer.from(needle).toString()) }
}

export const knownChecks: readonly ProgramCheck[] = [
  {
    // requirement: PART-11
    name: 'the same statement again adds a source to its fact; each has its own ranges, and terms unless it ends the fact',
    async run(store) {
      const { facts, known: partition } = await told(store, [
        stated('tea', 1, [1]),
        stated('Tea', 1, [2, 3]),
        stated('rope', 1, [2]),
        stated('tea', 1, [4], { says: 'ends' }),
      ])
      deepEqual([facts[1], facts[3]], [facts[0], facts[0]])
      notEqual(facts[2], facts[0])
      deepEqual((await store.read(() => rowsOfFact(partition, facts[0] ?? ''))).length, 3)
      deepEqual((await store.read(() => rowsOfSlots(partition, ['mia'], ['likes']))).length, 4)
      deepEqual(
        (await store.read(() => sourcesAt(partition, [2])))
          .get(2)
          ?.map(({ seq, text }) => [seq, text])
          .toSorted(),
        [
          [2, 'two'],
          [3, 'thr'],
        ],
      )
      equal((await store.read(() => termsAfter(partition, 0, 10))).length, 3)
      deepEqual([(await known(store))?.messages, (await known(store))?.seq], [3, 4])
      deepEqual(await store.read(() => rowsOfFact(partition + 100, facts[0] ?? '')), [])
    },
  },
  {
    name: 'forgetting a message, a session or all before a time erases its statements; the counts name facts, as in the preview',
    async run(store) {
      const { ids, known: partition } = await told(store, [
        stated('tea', 1, [1]),
        stated('Tea', 1, [1]),
        stated('rope', 1, [2]),
        stated('salt', 1, [3]),
        stated('rope', 1, [3], { says: 'ends' }),
      ])
      equal((await forgetting(store, { messages: ids.slice(0, 1) })).fact, 1)
      deepEqual(await objects(store, partition), ['rope', 'rope', 'salt'])
      equal((await forgetting(store, { session: talkSession, before: monday + 1 })).fact, 2)
      deepEqual(await objects(store, partition), [])
    },
  },
  {
    name: 'forgetting a session erases the facts from its messages; forgetting all also erases facts by hand and merged names',
    async run(store) {
      const { known: partition } = await told(store, [stated('tea', 1, [1]), stated('salt', 0, []), stated('rope', 0, [1])])
      await store.write(() => mergeName(partition, 'mia', 'amelia'))
      equal((await forgetting(store, { session: talkSession })).fact, 2)
      deepEqual(await objects(store, partition), ['salt'])
      equal(await store.read(() => sessionRowById(1, 1)), undefined)
      equal((await forgetting(store, { all: true })).fact, 1)
      deepEqual([await known(store), await objects(store, partition), await store.read(() => mergedNames(partition))], [undefined, [], []])
    },
  },
  {
    name: 'a fact by hand is erased with the last of its messages; without messages, by the time when it was added',
    async run(store) {
      const { ids, known: partition } = await told(store, [stated('tea', 0, [1, 2]), stated('salt', 0, [])])
      equal((await forgetting(store, { messages: ids.slice(0, 1) })).fact, 0)
      deepEqual(
        (await store.read(() => sourcesAt(partition, [1]))).get(1)?.map(({ seq }) => seq),
        [2],
      )
      equal((await forgetting(store, { messages: ids.slice(1, 2) })).fact, 1)
      deepEqual(await objects(store, partition), ['salt'])
      equal((await forgetting(store, { before: monday })).fact, 0)
      equal((await forgetting(store, { before: monday + 1 })).fact, 1)
      deepEqual(await objects(store, partition), [])
    },
  },
  {
    name: 'forgetting a statement raises the epoch, leaves a tombstone, erases its terms and ranges, and hands over its words',
    async run(store) {
      const { ids, known: partition } = await told(store, [
        stated('a cask of pickled samphire', 1, [1], {
          phrase: 'since the last spring tide',
          subject: 'Ottoline Quay',
          predicate: 'keeps under the stairs',
        }),
        stated('tea', 1, [2]),
      ])
      const before = await known(store)
      const { words } = await forgetting(store, { messages: ids.slice(0, 1) })
      for (const text of ['a cask of pickled samphire', 'since the last spring tide', 'Ottoline Quay', 'keeps under the stairs'])
        equal(
          words.some((word) => word.includes(text)),
          true,
          text,
        )
      const after = await known(store)
      notEqual(after?.epoch, before?.epoch)
      deepEqual(await store.read(() => erasedAfter(partition, before?.epoch ?? 0)), [1])
      deepEqual([(await store.read(() => termsAfter(partition, 0, 10))).length, after?.messages], [1, 1])
      deepEqual(await store.read(() => sourcesAt(partition, [1])), new Map())
    },
  },
  {
    name: 'forgetting a statement also hands over its words as its indexes hold them: folded',
    async run(store) {
      const { ids } = await told(store, [
        stated('SAMPHIRE JAR', 1, [1], {
          subject: 'OTTOLINE QUAY',
          subjectKey: 'ottoline quay',
          predicate: 'KEEPS IN REACH',
          predicateKey: 'keeps in reach',
          insteadKey: 'pickled kelp',
        }),
      ])
      const { words } = await forgetting(store, { messages: ids.slice(0, 1) })
      for (const key of ['samphire jar', 'ottoline quay', 'keeps in reach', 'pickled kelp']) equal(words.includes(key), true, key)
    },
  },
  {
    name: 'a better reading withdraws the statement that it replaces at its own recorded time, even if the clock was set back',
    async run(store) {
      const { known: partition } = await told(store, [stated('tea', 1, [1]), stated('rope', 0, [])])
      const source = (await store.read(() => findPartition(ada)))?.id ?? 0
      const reading = { facts: [{ ...stated('salt', 1, [1], { writer: 'model' }), restsOn: [] }], refused: 0 }
      await store.write(() => storeRead(source, 1, { from: 1, to: 1, writer: 'model' }, reading, monday - 1_000))
      const rows = (await store.read(() => allAssertions(partition))).toSorted((one, other) => one.ord - other.ord)
      deepEqual(
        rows
          .toSorted((a, b) => a.ord - b.ord)
          .map(({ object, recorded_at: recorded, withdrawn_at: withdrawn }) => [object, recorded, withdrawn]),
        [
          ['tea', monday, monday],
          ['rope', monday, null],
          ['salt', monday, null],
        ],
      )
    },
  },
  {
    name: 'a statement with the longest object, in signs that no index shortens, is found by it and by its slot',
    async run(store) {
      // 6,000 bytes of UTF-8 that differ all along.
      const object = String.fromCodePoint(...Array.from({ length: 2_000 }, (_, at) => 0x4e00 + ((at * 7_919) % 20_000)))
      const like = { objectKey: object, insteadKey: object }
      const { known: partition } = await told(store, [stated(object, 1, [1], like), stated(`${object.slice(0, -1)}x`, 1, [2])])
      for (const by of [{ object }, { subject: 'mia', predicate: 'likes', object }])
        deepEqual(
          (await store.read(() => rowsBefore(partition, by, Number.MAX_SAFE_INTEGER, 10))).map((row) => row.object),
          [object],
        )
      equal((await forgetting(store, { session: talkSession })).fact, 2)
    },
  },
  {
    name: 'deleting a project erases the facts of all of its users',
    async run(store) {
      const { known: partition } = await told(store, [stated('tea', 1, [1]), stated('salt', 0, [])])
      const { receipt } = await store.write(() => eraseProject('acme', uuidv7(monday), monday))
      equal(receipt.counts['fact'], 2)
      deepEqual(await objects(store, partition), [])
    },
  },
]
