import { deepEqual } from 'node:assert/strict'
import { documentRevisions, readDocument } from '../../documents/read-documents.ts'
import { workIn } from '../../documents/work-in.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { claimEmbeddings, storeEmbeddings } from '../../index/embedding-work.ts'
import { readNotes } from '../../notes/read-notes.ts'
import { storeNotes } from '../../notes/write-notes.ts'
import type { PartitionId } from '../../scope/partition.ts'
import { claim } from '../../storage/claims.ts'
import { finishReading, storeParts } from '../../storage/derived/distilled.ts'
import { itemsOfSession } from '../../storage/derived/items.ts'
import { partsOf } from '../../storage/derived/parts.ts'
import { forget } from '../../storage/erase/erasure.ts'
import { bitOf } from '../../storage/layers.ts'
import { epochsOf } from '../../storage/epochs.ts'
import { contextKeys, saveContext } from '../../storage/log/contexts.ts'
import { readMessages } from '../../storage/log/messages.ts'
import { findSessionRow } from '../../storage/log/sessions.ts'
import { pendingPageFacts, storePageFacts } from '../../storage/pages/page-facts.ts'
import { findPartition } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import { lastPassage } from '../../storage/segment/vectors.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, monday, talkSession } from './check.ts'
import { composed, part } from './derived-checks.ts'
import { allFulfilled, inRounds, race, type RaceCheck } from './race.ts'

const held = { holder: 'one', now: monday, until: monday + 60_000 }
const layer = bitOf('gists')

/** A user's one session, and its owner. */
interface Place {
  readonly owner: PartitionId
  readonly partition: number
  readonly session: number
}

/** A derived thing, made from a session's second message and ready to be stored, and its remains in the store. */
interface Derivation {
  storing(): Program<unknown>
  left(): Program<readonly unknown[]>
}

function reading({ partition, session }: Place) {
  return { partition, session, epoch: 0, holder: held.holder, layers: layer }
}

/** Everything that is made from messages outside of any transaction, with the way to make each ready. */
const derivations: readonly (readonly [what: string, make: (store: StoreUnderTest, place: Place) => Promise<Derivation>])[] = [
  [
    'parts of a gist',
    async (store, place) => {
      const { partition, session } = place
      await store.write(() => claim('session', { ref: session, partition }, held))
      return {
        storing: () => storeParts(reading(place), [part(layer, 1, 2, 'what was forgotten')], monday, held.until),
        left: () => partsOf(partition, session),
      }
    },
  ],
  [
    'a gist',
    async (store, place) => {
      const { partition, session } = place
      await store.write(() => claim('session', { ref: session, partition }, held))
      const finished = { seq: 2, wanted: layer, provisional: 0, composed: [composed(layer, 'what was forgotten', 0, [[1, 2]])] }
      return { storing: () => finishReading(reading(place), finished, monday), left: () => itemsOfSession(partition, session) }
    },
  ],
  [
    'a vector',
    async (store, { partition }) => {
      const claim = await store.write(() =>
        claimEmbeddings({ name: 'racing', dimension: 4, quantisation: 'none' }, held, { texts: 64, tokens: 2_048 }),
      )
      // Newest first.
      const item = claim.items.find((one) => one.partition === partition)
      return {
        storing: () =>
          storeEmbeddings(
            claim,
            claim.items.map(() => Float32Array.of(1, 0, 0, 0)),
            held.holder,
          ),
        *left() {
          const passage = yield* lastPassage(item?.embedding ?? 0, partition, item?.ord ?? 0)
          return passage === undefined ? [] : [passage]
        },
      }
    },
  ],
  [
    'a document',
    async (store, { owner, partition, session }) => {
      const fact = { subject: 'Bakery', key: 'bakery', fact: 'what was forgotten', seq: 2, saidAt: monday }
      await store.write(() => storePageFacts(partition, session, { from: 1, to: 2, writer: 'model' }, [fact]))
      await store.write(() => claim('documents', { ref: partition, partition }, held))
      const facts = (await store.read(() => pendingPageFacts(partition, 10))).map(({ id }) => id)
      const written = {
        page: 0,
        basis: 0,
        name: 'Bakery',
        writer: 'model',
        sawPage: false,
        steps: [{ content: '- what was forgotten', description: '', facts }],
      }
      return {
        storing: () => workIn(partition, held.holder, [written], monday),
        *left() {
          const isThere = (yield* readDocument(owner, 'bakery', undefined)) !== undefined
          return isThere ? (yield* documentRevisions(owner, 'bakery', { limit: 10 })).items : []
        },
      }
    },
  ],
  [
    'notes',
    async (store, { owner, partition, session }) => {
      await store.write(() => claim('notes', { ref: session, partition }, held))
      const read = { home: partition, session, holder: held.holder, epoch: 0, basis: 0, from: 1, to: 2, tokens: 6, calls: 0 }
      return {
        storing: () =>
          storeNotes(read, { template: '# State', content: '# State\n- what was forgotten', writer: 'model', sawPage: true }, monday),
        *left() {
          const notes = yield* readNotes(owner, talkSession, undefined)
          return notes === undefined ? [] : [notes.content]
        },
      }
    },
  ],
  [
    'a context',
    async (store, { owner, partition }) => {
      const epochs = await store.read(() => epochsOf(owner))
      const messages = (await store.read(() => readMessages(owner, talkSession, { limit: 2 }))).map(({ id }) => id)
      const record = { id: uuidv7(monday), messages, shingles: new Uint8Array(8), epochs }
      return { storing: () => saveContext(owner, talkSession, record, monday), left: () => contextKeys(partition, talkSession) }
    },
  ],
]

/** A model's text is stored after its messages were read: a forget may come before the storing, or beside it. */
export const forgetRaceChecks: readonly RaceCheck[] = derivations.map(([what, make]) => ({
  name: `storing ${what} while its message is forgotten leaves nothing of it in the store`,
  run: (stores) =>
    inRounds(async (owner, round) => {
      const [, message] = await append(stores[0], owner, talkSession, ['kept', 'forgotten'])
      const partition = (await stores[0].read(() => findPartition(owner)))?.id ?? 0
      const session = (await stores[0].read(() => findSessionRow(partition, talkSession)))?.id ?? 0
      const { storing, left } = await make(stores[0], { owner, partition, session })
      const forgetting = (store: StoreUnderTest) =>
        store.write(() => forget(owner, { messages: [message?.id ?? ''] }, uuidv7(monday), monday))
      allFulfilled(await race(stores, round, forgetting, (store) => store.write(storing)))
      deepEqual(await stores[0].read(left), [])
    }),
}))
