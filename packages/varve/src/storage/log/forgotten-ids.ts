import { createHmac } from 'node:crypto'
import type { PartitionId } from '../../scope/partition.ts'
import { lost } from '../lost.ts'
import { keyOf } from '../partitions.ts'
import { type Program, abreast, all, change, first, run, runList } from '../program.ts'
import { statement } from '../statement.ts'

// A second import of a file must not bring a forgotten message back. So a keyed hash of each forgotten external id is
// kept, with its session and owner. Nobody reads an id or a name from it, and the key never leaves the store.

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

const keyOfStore = statement<object>()((db) => db.selectFrom('meta').select('value').where('key', '=', 'store_key'))

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

const known = statement<{ owner: Uint8Array; digests: string }>()((db, p, d) =>
  db
    .selectFrom('forgotten_id')
    .select('digest')
    .where('owner', '=', p('owner'))
    .where('digest', 'in', d.ids(p('digests'))),
)

const insert = statement<{ owner: Uint8Array; ord: number; digest: Uint8Array }>()((db, p) =>
  db
    .insertInto('forgotten_id')
    .values({ owner: p('owner'), ord: p('ord'), digest: p('digest') })
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

/** An external id within a session, by the caller's names. */
export interface ExternalId {
  readonly session: string
  readonly externalId: string
}

/** Remembers that the messages of some external ids were forgotten. The owner's row must still stand. */
export function* rememberForgotten(partition: number, ids: readonly ExternalId[], kept = forgottenIdsKept): Program<void> {
  if (ids.length === 0) return
  const [meta, owned] = yield* abreast([first(keyOfStore, {}), first(ownerOf, { partition })])
  if (meta === undefined || owned === undefined) throw lost('partition')
  const { owner, digestOf } = hashesOf(meta.value, owned)
  const from = ((yield* first(newest, { owner }))?.ord ?? 0) + 1
  yield* runList([
    ...ids.map((id, place) => change(insert, { owner, ord: from + place, digest: digestOf(id) })),
    ...(from + ids.length - 1 > kept ? [change(dropUpTo, { owner, ord: from + ids.length - 1 - kept })] : []),
  ])
}

/** Returns which external ids of a session were forgotten. Asks nothing more while the store has never forgotten one. */
export function* forgottenAmong(partition: PartitionId, session: string, externalIds: readonly string[]): Program<ReadonlySet<string>> {
  const meta = externalIds.length === 0 ? undefined : yield* first(keyIfAny, {})
  if (meta === undefined) return new Set()
  const { owner, digestOf } = hashesOf(meta.value, keyOf(partition))
  // The ids are hashed only where the owner has forgotten any.
  if ((yield* first(newest, { owner })) === undefined) return new Set()
  const byDigest = new Map(externalIds.map((externalId) => [digestOf({ session, externalId }).toString('hex'), externalId]))
  const rows = yield* all(known, { owner, digests: JSON.stringify([...byDigest.keys()]) })
  return new Set(rows.flatMap(({ digest }) => byDigest.get(Buffer.from(digest).toString('hex')) ?? []))
}

/** Drops what is remembered of some forgotten external ids: their messages are stored again. */
export function* restoreForgotten(partition: PartitionId, session: string, externalIds: ReadonlySet<string>): Program<void> {
  const meta = externalIds.size === 0 ? undefined : yield* first(keyOfStore, {})
  if (meta === undefined) return
  const { owner, digestOf } = hashesOf(meta.value, keyOf(partition))
  const digests = [...externalIds].map((externalId) => digestOf({ session, externalId }).toString('hex'))
  yield* run(drop, { owner, digests: JSON.stringify(digests) })
}

function hashesOf(key: string, { project, kind, owner }: ReturnType<typeof keyOf>) {
  const hash = (what: readonly string[], bytes: number): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([...what, project, kind, owner]))
      .digest()
      .subarray(0, bytes)
  return {
    owner: hash(['forgotten owner'], hashBytes.owner),
    digestOf: ({ session, externalId }: ExternalId) => hash(['forgotten id', session, externalId], hashBytes.digest),
  }
}
