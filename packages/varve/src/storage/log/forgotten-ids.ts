import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { PartitionId } from '../../scope/partition.ts'
import { lost } from '../lost.ts'
import { keyOf } from '../partitions.ts'
import { type Program, abreast, all, change, first, run, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { storeSecret } from '../store-secret.ts'

// A second import of a file must not bring a forgotten message back. So a keyed hash of each forgotten external id is
// kept, with its session; of a message without one, a hash of its own id. Nobody reads an id or a name from it.
//
// The key is the owner's own, made of the store's key. An export carries it with the hashes, so that another store
// refuses the same messages: a hash of an unknown id cannot be made anew under another key. Whoever has the export can
// test a guessed id against it, and learns no word. Hashes from before schema 11 have the store's key itself, which
// never leaves the store: they are looked up as before, and an export does not carry them usefully.

/** The hashes that an owner keeps: 20 MB. Over this the oldest are dropped. */
export const forgottenIdsKept = 250_000

/** Bytes of a hash. An owner's is only the first part of a key: the other hash holds the owner too. */
const hashBytes = { owner: 8, digest: 16 } as const

/** Gives the store's key when anything was ever forgotten: one cheap look for most appends. */
const keyIfAny = statement<object>()((db) =>
  db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'store_key')
    .where((e) => e.exists(db.selectFrom('forgotten_id').select('ord').limit(1))),
)

const ownerOf = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(['project.name as project', 'partition.owner_kind as kind', 'partition.owner'])
    .where('partition.id', '=', p('partition')),
)

const newest = statement<{ owner: Uint8Array }>()((db, p) =>
  db.selectFrom('forgotten_id').select('ord').where('owner', '=', p('owner')).orderBy('ord', 'desc').limit(1),
)

const oldest = statement<{ owner: Uint8Array }>()((db, p) =>
  db.selectFrom('forgotten_id').select('ord').where('owner', '=', p('owner')).orderBy('ord').limit(1),
)

const insertKey = statement<{ owner: Uint8Array; secret: Uint8Array }>()((db, p) =>
  db
    .insertInto('forgotten_key')
    .values({ owner: p('owner'), secret: p('secret') })
    .onConflict((c) => c.doNothing()),
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
  db.selectFrom('forgotten_key').select('secret').where('owner', '=', p('owner')).orderBy('secret'),
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

/** A forgotten message: its session and external id by the caller's names, or its own id where it has no external one. */
export interface ForgottenMessage {
  readonly session: string
  readonly externalId: string | null
  readonly id: string
}

/** Remembers that some messages were forgotten. The owner's row must still stand. */
export function* rememberForgotten(partition: number, messages: readonly ForgottenMessage[], kept = forgottenIdsKept): Program<void> {
  if (messages.length === 0) return
  const [key, owned] = yield* abreast([storeSecret(), first(ownerOf, { partition })])
  if (owned === undefined) throw lost('partition')
  const { owner, secret: bytes } = keysOf(key, owned)
  const secret = createSecretKey(bytes)
  const from = ((yield* first(newest, { owner }))?.ord ?? 0) + 1
  yield* runList([
    change(insert, { owner, from, step: 1, digests: listOf(messages.map((message) => digestOf(secret, message))) }),
    ...(from + messages.length - 1 > kept ? [change(dropUpTo, { owner, ord: from + messages.length - 1 - kept })] : []),
  ])
}

/** Returns which external ids of a session were forgotten. Asks nothing more while the store has never forgotten one. */
export function* forgottenAmong(partition: PartitionId, session: string, externalIds: readonly string[]): Program<ReadonlySet<string>> {
  const messages = externalIds.map((externalId) => ({ session, externalId, id: '' }))
  return new Set((yield* forgottenMessages(partition, messages)).flatMap(({ externalId }) => externalId ?? []))
}

/** Returns which messages were forgotten, here or in a store from which this owner's memory came. */
export function* forgottenMessages<One extends ForgottenMessage>(
  partition: PartitionId,
  messages: readonly One[],
): Program<readonly One[]> {
  const meta = messages.length === 0 ? undefined : yield* first(keyIfAny, {})
  if (meta === undefined) return []
  const owned = keyOf(partition)
  const { owner } = keysOf(meta.value, owned)
  // The ids are hashed only where the owner has forgotten any.
  if ((yield* first(newest, { owner })) === undefined) return []
  const hashes = yield* hashesOf(meta.value, owned)
  const byDigest = new Map(messages.flatMap((one) => hashes(one).map((digest) => [digest.toString('hex'), one] as const)))
  const rows = yield* all(known, { owner, digests: JSON.stringify([...byDigest.keys()]) })
  return [...new Set(rows.flatMap(({ digest }) => byDigest.get(Buffer.from(digest).toString('hex')) ?? []))]
}

/** Tells whether anything of an owner was forgotten, here or where this owner's memory came from. */
export function* hasForgotten(partition: PartitionId): Program<boolean> {
  const meta = yield* first(keyIfAny, {})
  return meta !== undefined && (yield* first(newest, { owner: keysOf(meta.value, keyOf(partition)).owner })) !== undefined
}

/** Drops what is remembered of some forgotten external ids: their messages are stored again. */
export function restoreForgotten(partition: PartitionId, session: string, externalIds: ReadonlySet<string>): Program<void> {
  return restoreForgottenMessages(
    partition,
    [...externalIds].map((externalId) => ({ session, externalId, id: '' })),
  )
}

export function* restoreForgottenMessages(partition: PartitionId, messages: readonly ForgottenMessage[]): Program<void> {
  if (messages.length === 0) return
  const [key, owned] = [yield* storeSecret(), keyOf(partition)]
  const hashes = yield* hashesOf(key, owned)
  const digests = messages.flatMap((one) => hashes(one).map((digest) => digest.toString('hex')))
  yield* run(drop, { owner: keysOf(key, owned).owner, digests: JSON.stringify(digests) })
}

/** A page of what an owner remembers of forgotten messages, to be carried elsewhere. */
export interface ForgottenPage {
  readonly keys: readonly Uint8Array[]
  readonly digests: readonly { readonly ord: number; readonly digest: Uint8Array }[]
}

/** Returns hashes after one, with the keys by which they were made. */
export function* forgottenAfter(partition: PartitionId, ord: number, limit: number): Program<ForgottenPage> {
  const meta = yield* first(keyIfAny, {})
  if (meta === undefined) return { keys: [], digests: [] }
  const { owner, secret } = keysOf(meta.value, keyOf(partition))
  const elsewhere = yield* all(keysFromElsewhere, { owner })
  return { keys: [secret, ...elsewhere.map((row) => row.secret)], digests: yield* all(after, { owner, ord, limit }) }
}

/** The stores whose hashes an owner keeps. Each costs an append one more hash for each external id. */
export const forgottenKeysKept = 16

/**
 * Takes over hashes from another store. They stand before the store's own, so that the bound drops them first: no
 * import may push out what was forgotten here. Returns false when there is no room.
 */
export function* takeForgotten(
  partition: PartitionId,
  keys: readonly Uint8Array[],
  digests: readonly Uint8Array[],
  kept = forgottenIdsKept,
): Program<boolean> {
  const { owner, secret } = keysOf(yield* storeSecret(), keyOf(partition))
  const before = yield* all(keysFromElsewhere, { owner })
  const isHere = (key: Uint8Array): boolean =>
    Buffer.compare(key, secret) === 0 || before.some((row) => Buffer.compare(key, row.secret) === 0)
  const fresh = keys.filter((key) => !isHere(key))
  const from = Math.min(-1, ((yield* first(oldest, { owner }))?.ord ?? 0) - 1)
  if (before.length + fresh.length > forgottenKeysKept || from - digests.length + 1 < -kept) return false
  yield* runList([
    ...fresh.map((key) => change(insertKey, { owner, secret: key })),
    change(insert, { owner, from, step: -1, digests: listOf(digests) }),
  ])
  return true
}

/** Returns the keyed hash by which an owner is remembered after its rows are gone. */
export function* hashOfOwner(partition: PartitionId): Program<Uint8Array> {
  return keysOf(yield* storeSecret(), keyOf(partition)).owner
}

type Owned = ReturnType<typeof keyOf>

// A key of bytes takes Node five times as long, at each hash, as a key that was made once.
function hmac(key: string | KeyObject, what: readonly unknown[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(what)).digest()
}

function listOf(digests: readonly Uint8Array[]): string {
  return JSON.stringify(digests.map((digest) => [Buffer.from(digest).toString('hex')]))
}

/** The hash under which an owner's rows stand, and the key of the owner's hashes. */
function keysOf(key: string, { project, kind, owner }: Owned): { readonly owner: Buffer; readonly secret: Buffer } {
  return {
    owner: hmac(key, ['forgotten owner', project, kind, owner]).subarray(0, hashBytes.owner),
    secret: hmac(key, ['forgotten key', project, kind, owner]),
  }
}

function digestOf(secret: KeyObject, { session, externalId, id }: ForgottenMessage): Buffer {
  const what = externalId === null ? ['forgotten message', id] : ['forgotten id', session, externalId]
  return hmac(secret, what).subarray(0, hashBytes.digest)
}

/** Makes the function that gives all hashes under which a forgotten message may stand. */
function* hashesOf(key: string, owned: Owned): Program<(message: ForgottenMessage) => readonly Buffer[]> {
  const { owner, secret } = keysOf(key, owned)
  const secrets = [secret, ...(yield* all(keysFromElsewhere, { owner })).map((row) => row.secret)].map((one) => createSecretKey(one))
  return (message) => {
    const { session, externalId } = message
    const { project, kind, owner: name } = owned
    const before11 = externalId === null ? [] : [hmac(key, ['forgotten id', session, externalId, project, kind, name])]
    return [...secrets.map((one) => digestOf(one, message)), ...before11.map((hash) => hash.subarray(0, hashBytes.digest))]
  }
}
