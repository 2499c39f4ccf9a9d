import { deepEqual } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { claimEmbeddings } from '../../index/embedding-work.ts'
import type { PartitionId } from '../../scope/partition.ts'
import { claim } from '../../storage/claims.ts'
import { forget } from '../../storage/erase/erasure.ts'
import { claimErasures } from '../../storage/erase/receipts.ts'
import { findSessionRow } from '../../storage/log/sessions.ts'
import { findPartition } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import type { Holder, WorkKind } from '../../storage/work.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, monday, talkSession, userOf } from './check.ts'
import { contest, contests, type RaceCheck } from './race.ts'

const minute = 60_000
const maker = { name: 'racing', dimension: 4, quantisation: 'none' }

/** The numbers of a partition and of its one session. */
interface Place {
  readonly partition: number
  readonly session: number
}

/** Claims a piece of work of a place; returns whether it got it. */
type Claim = (place: Place, holder: Holder) => Program<boolean>

/** Every kind of work under a lease. */
const claims: readonly (readonly [work: string, claim: Claim])[] = [
  ['a session', ({ partition, session }, holder) => isClaimed('session', session, partition, holder)],
  ['a bank', ({ partition }, holder) => isClaimed('bank', partition, partition, holder)],
  ['a partition’s documents', ({ partition }, holder) => isClaimed('documents', partition, partition, holder)],
  ['a session’s notes', ({ partition, session }, holder) => isClaimed('notes', session, partition, holder)],
  [
    'a partition’s embeddings',
    function* ({ partition }, holder) {
      const { items } = yield* claimEmbeddings(maker, holder, { texts: 64, tokens: 2_048 })
      return items.some((item) => item.partition === partition)
    },
  ],
  [
    'an erasure',
    function* (_, { holder, now, until }) {
      return (yield* claimErasures(holder, now, until)).ids.length > 0
    },
  ],
]

function* isClaimed(kind: WorkKind, ref: number, partition: number, holder: Holder): Program<boolean> {
  return (yield* claim(kind, { ref, partition }, holder)) !== undefined
}

/** Makes a user with one forgotten message and one that stands. */
async function placeOf(store: StoreUnderTest, owner: PartitionId): Promise<Place> {
  const [message] = await append(store, owner, talkSession, ['forgotten', 'stands'])
  await store.write(() => forget(owner, { messages: [message?.id ?? ''] }, uuidv7(monday), monday))
  const partition = (await store.read(() => findPartition(owner)))?.id ?? 0
  const session = (await store.read(() => findSessionRow(partition, talkSession)))?.id ?? 0
  return { partition, session }
}

function claimRace([work, claim]: (typeof claims)[number]): RaceCheck {
  return {
    name: `only one holder gets ${work} when several claim it at once, both when it is new and after its lease ran out`,
    async run(stores) {
      for (let round = 0; round < contests; round += 1) {
        const place = await placeOf(stores[0], userOf('acme', `user ${round}`))
        for (const now of [monday + round * 10 * minute, monday + (round * 10 + 5) * minute]) {
          const got = await contest(stores, (store, holder) =>
            store.write(() => claim(place, { holder: `${holder} ${now}`, now, until: now + minute })),
          )
          deepEqual(got.toSorted(), [false, false, false, true])
        }
      }
    },
  }
}

export const claimRaceChecks: readonly RaceCheck[] = claims.map(claimRace)
