import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import type { PartitionId } from '../../scope/partition.ts'
import { lost } from '../lost.ts'
import { keyOf, namesOf } from '../partitions.ts'
import { type Program, type SingleStep, abreast, all, allEach, change, first, firstEach, run, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { storeSecret } from '../store-secret.ts'
import {
  type AskedMessage,
  digestBefore11,
  digestOf,
  type ForgetfulOwner,
  type ForgottenMessage,
  keptAwayWith,
  keysOf,
  type DatedMessage,
} from './forgotten-hashes.ts'

// A second import of a file must not bring a forgotten message back. So a keyed hash of each forgotten external id is
// kept, with its session; of a message without one, a hash of its own id. Nobody reads an id or a name from it. A line of
// a transcript comes again under an id that names its messages: it is kept away when one was forgotten or replaced.
//
// The key is the owner's own, made of the store's key. An export carries it with the hashes, so that another store
// refuses the same messages: a hash of an unknown id cannot be made anew under another key. Whoever has the export can
// test a guessed id against it, and learns no word. Hashes from before schema 11 have the store's key itself, which
// never leaves the store: they are looked up as before, and an export does not carry them usefully.
//
// Hashes that a stranger's lines bring stand apart, with the time of their export. Their maker can guess ids that the
// owner has yet to use, so they count for messages that were said before that time, or at a time that nobody told.

/** The hashes that an owner keeps: 20 MB. Over this the oldest are dropped. */
export const forgottenIdsKept = 250_000

/** Gives the store's key when anything was ever forgotten: one cheap look for most appends. */
const keyIfAny = statement<object>()((db) =>
  db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'store_key')
    .where((e) => e.exists(db.selectFrom('forgotten_id').select('ord').limit(1))),
)

const newest = statement<{ owner: Uint8Array }>()((db, p) =>
  db.selectFrom('forgotten_id').select('ord').where('owner', '=', p('owner')).orderBy('ord', 'desc').limit(1),
)

const oldest = statement<{ owner: Uint8Array }>()((db, p) =>
  db.selectFrom('forgotten_id').select('ord').where('owner', '=', p('owner')).orderBy('ord').limit(1),
)

const insertKey = statement<{ owner: Uint8Array; secret: Uint8Array; up_to: number }>()((db, p) =>
  db
    .insertInto('forgotten_key')
    .values({ owner: p('owner'), secret: p('secret'), up_to: p('up_to') })
    .onConflict((c) => c.columns(['owner', 'secret']).doUpdateSet({ up_to: p('up_to') })),
)

const after = statement<{ owner: Uint8Array; ord: number; limit: number }>()((db, p) =>
  db
    .selectFrom('forgotten_id')
    .select(['ord', 'digest'])
    .where('owner', '=', p('owner'))
    .where('ord', '>', p('ord'))
    .orderBy('ord')
    .limit(p('limit')),
)

const keysFromElsewhere = statement<{ owner: Uint8Array }>()((db, p) =>
  db.selectFrom('forgotten_key').select(['secret', 'up_to']).where('owner', '=', p('owner')).orderBy('secret'),
)

const known = statement<{ owner: Uint8Array; digests: string }>()((db, p, d) =>
  db
    .selectFrom('forgotten_id')
    .select('digest')
    .where('owner', '=', p('owner'))
    .where('digest', 'in', d.ids(p('digests'))),
)

const insert = statement<{ owner: Uint8Array; from: number; step: number; digests: string }>()((db, p, d) =>
  db
    .insertInto('forgotten_id')
    .columns(['owner', 'ord', 'digest'])
    .expression(
      db
        .selectFrom(d.entries(p('digests')).as('listed'))
        .select([
          sql<Uint8Array>`${p('owner')}`.as('owner'),
          sql<number>`${d.number(p('from'))} + key * ${d.number(p('step'))}`.as('ord'),
          d.id(sql<string>`value ->> 0`).as('digest'),
        ])
        // SQLite would read ON as a join's without a condition before it.
        .where(sql<boolean>`true`),
    )
    .onConflict((c) => c.doNothing()),
)

const drop = statement<{ owner: Uint8Array; digests: string }>()((db, p, d) =>
  db
    .deleteFrom('forgotten_id')
    .where('owner', '=', p('owner'))
    .where('digest', 'in', d.ids(p('digests'))),
)

const dropUpTo = statement<{ owner: Uint8Array; ord: number }>()((db, p) =>
  db.deleteFrom('forgotten_id').where('owner', '=', p('owner')).where('ord', '<=', p('ord')),
)

/** Remembers that some messages were forgotten. The owner's row must still stand. */
export function* rememberForgotten(partition: number, messages: readonly ForgottenMessage[], kept = forgottenIdsKept): Program<void> {
  if (messages.length > 0) yield* runList(rememberingSteps(yield* ownBook(partition), messages, kept))
}

/** The place of an owner's hashes: its key, and the next ordinal. */
export interface OwnBook {
  readonly owner: Uint8Array
  readonly secret: Uint8Array
  readonly next: number
}

/** Reads where the next hashes of an owner go. Its row must still stand. */
export function* ownBook(partition: number): Program<OwnBook> {
  const [key, owned] = yield* abreast([storeSecret(), namesOf(partition)])
  if (owned === undefined) throw lost('partition')
  const { own: owner, secret } = keysOf(key, owned)
  return { owner, secret, next: ((yield* first(newest, { owner }))?.ord ?? 0) + 1 }
}

/** Gives the steps that remember some forgotten messages. */
export function rememberingSteps(
  { owner, secret: bytes, next }: OwnBook,
  messages: readonly ForgottenMessage[],
  kept = forgottenIdsKept,
): readonly SingleStep[] {
  if (messages.length === 0) return []
  const secret = createSecretKey(bytes)
  const last = next + messages.length - 1
  return [
    change(insert, { owner, from: next, step: 1, digests: listOf(messages.map((message) => digestOf(secret, message))) }),
    ...(last > kept ? [change(dropUpTo, { owner, ord: last - kept })] : []),
  ]
}

/** Returns which messages were forgotten, here or in a store from which this owner's memory came. */
export function* forgottenAmong<One extends AskedMessage>(partition: PartitionId, messages: readonly One[]): Program<readonly One[]> {
  return (yield* lookForForgotten(partition, messages)).forgotten
}

/** The forgotten ones of some messages. `isAny`: whether anything of their owner is remembered as forgotten. */
export interface LookedFor<One> {
  readonly forgotten: readonly One[]
  readonly isAny: boolean
}

/** Looks which messages were forgotten: in one step where nothing was, in this store. */
export function* lookForForgotten<One extends AskedMessage>(partition: PartitionId, messages: readonly One[]): Program<LookedFor<One>> {
  const meta = messages.length === 0 ? undefined : yield* first(keyIfAny, {})
  if (meta === undefined) return { forgotten: [], isAny: false }
  const books = booksOf(meta.value, keyOf(partition))
  const standing = yield* firstEach(
    newest,
    books.map(({ owner }) => ({ owner })),
  )
  const kept = books.filter((_, at) => standing[at] !== undefined)
  // The ids are hashed only where there is any hash.
  if (kept.length === 0) return { forgotten: [], isAny: false }
  const hashers = yield* abreast(kept.map(({ hashes }) => hashes()))
  const hashed = messages.map((message) => ({
    message,
    digests: hashers.map((hashesOf) =>
      keptAwayWith(message).flatMap((one) => hashesOf(one, message.saidAt).map((digest) => digest.toString('hex'))),
    ),
  }))
  const rows = yield* allEach(
    known,
    kept.map(({ owner }, at) => ({ owner, digests: JSON.stringify([...new Set(hashed.flatMap(({ digests }) => digests[at] ?? []))]) })),
  )
  const stood = rows.map((found) => new Set(found.map(({ digest }) => Buffer.from(digest).toString('hex'))))
  const forgotten = hashed.filter(({ digests }) => digests.some((list, at) => list.some((digest) => stood[at]?.has(digest) === true)))
  return { forgotten: forgotten.map(({ message }) => message), isAny: true }
}

/** Gives the owners, as a JSON list of ids, in whose names an owner's forgotten messages are remembered. */
export function namesOfForgotten(secret: string, partition: PartitionId): string {
  const { own, strangers } = keysOf(secret, keyOf(partition))
  return JSON.stringify([own, strangers].map((owner) => owner.toString('hex')))
}

/** Tells whether anything of an owner was forgotten, here or where this owner's memory came from. */
export function* hasForgotten(partition: PartitionId): Program<boolean> {
  const meta = yield* first(keyIfAny, {})
  if (meta === undefined) return false
  for (const { owner } of booksOf(meta.value, keyOf(partition))) if ((yield* first(newest, { owner })) !== undefined) return true
  return false
}

/** Drops what is remembered of some forgotten messages: they are stored again. Those that their ids name stay forgotten. */
export function* restoreForgotten(partition: PartitionId, messages: readonly DatedMessage[]): Program<void> {
  if (messages.length === 0) return
  for (const { owner, hashes } of booksOf(yield* storeSecret(), keyOf(partition))) {
    const hashesOf = yield* hashes()
    const digests = messages.flatMap((one) => hashesOf(one, one.saidAt).map((digest) => digest.toString('hex')))
    yield* run(drop, { owner, digests: JSON.stringify(digests) })
  }
}

/** Hashes of forgotten messages, on their way from one store to another. */
export interface CarriedHashes {
  readonly keys: readonly Uint8Array[]
  readonly digests: readonly Uint8Array[]
  /** They count for messages that were said up to this time. Absent for those of the owner's own forgets. */
  readonly upTo?: number | undefined
}

/** A page of them. `last` is the place of its last hash. */
export interface ForgottenPage extends CarriedHashes {
  readonly last: number | undefined
}

/** Returns hashes after a place, with the keys by which they were made: the owner's own, or those that strangers brought. */
export function* forgottenAfter(partition: PartitionId, of: 'own' | 'strangers', ord: number, limit: number): Program<ForgottenPage> {
  const meta = yield* first(keyIfAny, {})
  if (meta === undefined) return { keys: [], digests: [], last: undefined }
  const { own, strangers, secret } = keysOf(meta.value, keyOf(partition))
  const owner = of === 'own' ? own : strangers
  const elsewhere = yield* all(keysFromElsewhere, { owner })
  const rows = yield* all(after, { owner, ord, limit })
  const keys = elsewhere.map((row) => row.secret)
  return {
    ...(of === 'own' ? { keys: [secret, ...keys] } : { keys, upTo: Math.max(0, ...elsewhere.map(({ up_to: upTo }) => upTo)) }),
    digests: rows.map(({ digest }) => digest),
    last: rows.at(-1)?.ord,
  }
}

/** The stores whose hashes an owner keeps, and the strangers. Each costs an append one more hash for each external id. */
export const forgottenKeysKept = 16

/**
 * Takes over hashes from another store. They stand before the store's own, so that the bound drops them first: no
 * import may push out what was forgotten here. Returns how many were new; undefined when there is no room.
 */
export function* takeForgotten(
  partition: PartitionId,
  { keys, digests, upTo }: CarriedHashes,
  kept = forgottenIdsKept,
): Program<number | undefined> {
  const of = keysOf(yield* storeSecret(), keyOf(partition))
  const owner = upTo === undefined ? of.own : of.strangers
  const before = yield* all(keysFromElsewhere, { owner })
  const knownAs = (key: Uint8Array) => before.find((row) => Buffer.compare(key, row.secret) === 0)
  const wanted = upTo === undefined ? keys.filter((key) => Buffer.compare(key, of.secret) !== 0) : keys
  const fresh = wanted.filter((key) => knownAs(key) === undefined)
  const asked = digests.map((digest) => Buffer.from(digest).toString('hex'))
  const stood = yield* all(known, { owner, digests: JSON.stringify(asked) })
  const there = new Set(stood.map(({ digest }) => Buffer.from(digest).toString('hex')))
  const taken = digests.filter((_, place) => !there.has(asked[place] ?? ''))
  // A key without a hash would only take the room of others.
  if (taken.length === 0) return 0
  const from = Math.min(-1, ((yield* first(oldest, { owner }))?.ord ?? 0) - 1)
  if (before.length + fresh.length > forgottenKeysKept || from - taken.length + 1 < -kept) return undefined
  yield* runList([
    ...wanted.map((key) => change(insertKey, { owner, secret: key, up_to: Math.max(upTo ?? 0, knownAs(key)?.up_to ?? 0) })),
    change(insert, { owner, from, step: -1, digests: listOf(taken) }),
  ])
  return taken.length
}

/** Returns the keyed hash by which an owner is remembered after its rows are gone. */
export function* hashOfOwner(partition: PartitionId): Program<Uint8Array> {
  return ownerHash(yield* storeSecret(), partition)
}

/** Gives the same hash by the store's secret. */
export function ownerHash(secret: string, partition: PartitionId): Uint8Array {
  return keysOf(secret, keyOf(partition)).own
}

/** A set of hashes. `hashes` makes the function that gives each hash that a message may have in it. */
interface Book {
  readonly owner: Buffer
  readonly hashes: () => Program<(message: ForgottenMessage, saidAt: number | undefined) => readonly Buffer[]>
}

function booksOf(key: string, owned: ForgetfulOwner): readonly Book[] {
  const { own, strangers, secret } = keysOf(key, owned)
  return [
    {
      owner: own,
      *hashes() {
        const secrets = [secret, ...(yield* all(keysFromElsewhere, { owner: own })).map((row) => row.secret)].map((one) =>
          createSecretKey(one),
        )
        return (message) => [...secrets.map((one) => digestOf(one, message)), ...digestBefore11(key, owned, message)]
      },
    },
    {
      owner: strangers,
      *hashes() {
        const rows = (yield* all(keysFromElsewhere, { owner: strangers })).map((row) => ({ ...row, secret: createSecretKey(row.secret) }))
        return (message, saidAt) =>
          rows.flatMap(({ secret: one, up_to: upTo }) => ((saidAt ?? upTo) <= upTo ? [digestOf(one, message)] : []))
      },
    },
  ]
}

function listOf(digests: readonly Uint8Array[]): string {
  return JSON.stringify(digests.map((digest) => [Buffer.from(digest).toString('hex')]))
}
