import { sql } from 'kysely'
import { mostCountedUsers } from '../errors/isolation-warning.ts'
import type { PartitionId } from '../scope/partition.ts'
import { layersSet } from './layers.ts'
import { type Listed, type ListRequest, namedPage, namePlace } from './listed.ts'
import { lost } from './lost.ts'
import { partitionList } from './partition-list.ts'
import { type Program, type SingleStep, abreast, all, change, first, run } from './program.ts'
import type { PartitionTable } from './schema.ts'
import { statement } from './statement.ts'

/** The kinds of owners, as they are stored. */
export const ownerKinds = { user: 0, anonymous: 1, shared: 2 } as const

/**
 * The offset of a derived partition's kind. Items derived from a partition's messages, or for a project's shared bank,
 * stand in a partition of their own.
 *
 * That partition has ordinals, an epoch, terms and vectors like any other, and an index of its own.
 */
export const derivedKind = 3

/** The offset of a known partition's kind. It holds the assertions of a partition's user, with an index of their own. */
export const knownKind = 6

/** A partition's row: its key in the store, and its state (`seq`, `epoch`). Readers compare the state to see what they lack. */
export type PartitionRow = Pick<PartitionTable, 'id' | 'project_id' | 'seq' | 'epoch' | 'messages' | 'term_bytes'>

// A sub-select, not a join: every call begins with this query, and the driver runs a join ten times slower (12 µs).
const selectPartition = statement<{ project: string; kind: number; owner: string }>()((db, p) =>
  db
    .selectFrom('partition')
    .select(['id', 'project_id', 'seq', 'epoch', 'messages', 'term_bytes'])
    .where('project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
    .where('owner_kind', '=', p('kind'))
    .where('owner', '=', p('owner')),
)

const insertPartition = statement<{ project: number; kind: number; owner: string; now: number }>()((db, p) =>
  db
    .insertInto('partition')
    .values({
      project_id: p('project'),
      owner_kind: p('kind'),
      owner: p('owner'),
      seq: 0,
      epoch: 0,
      messages: 0,
      term_bytes: 0,
      created_at: p('now'),
      share: 1,
      distilled_at: 0,
    } as PartitionTable)
    .onConflict((c) => c.doNothing()),
)

const columns = ['id', 'project_id', 'seq', 'epoch', 'messages', 'term_bytes'] as const

const byId = statement<{ id: number }>()((db, p) => db.selectFrom('partition').select(columns).where('id', '=', p('id')))

/** The statements by which a write finds its partition. A store over a network locks the row that they find. */
export const partitionLookups: ReadonlySet<SingleStep['query']> = new Set([selectPartition, byId])

const ofProject = statement<{ project: number; kind: number; owner: string }>()((db, p) =>
  db
    .selectFrom('partition')
    .select(columns)
    .where('project_id', '=', p('project'))
    .where('owner_kind', '=', p('kind'))
    .where('owner', '=', p('owner')),
)

const derivedOf = statement<{ source: number; derived: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .select(columns)
    .where('project_id', '=', db.selectFrom('partition as source').select('project_id').where('id', '=', p('source')))
    .where(
      'owner_kind',
      '=',
      db
        .selectFrom('partition as source')
        .select((e) => e('owner_kind', '+', p('derived')).as('kind'))
        .where('id', '=', p('source')),
    )
    .where('owner', '=', db.selectFrom('partition as source').select('owner').where('id', '=', p('source'))),
)

/** The source of what is derived of one member, which is never the project's own partition. */
const memberSource = statement<{ derived: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .innerJoin('partition as derived', (join) =>
      join.onRef('derived.project_id', '=', 'partition.project_id').onRef('derived.owner', '=', 'partition.owner'),
    )
    .select(columns.map((column) => `partition.${column}` as const))
    .where('derived.id', '=', p('derived'))
    .where('partition.owner_kind', '=', sql<number>`derived.owner_kind - ${sql.lit(derivedKind)}`)
    .where('partition.owner_kind', '<>', sql<number>`${sql.lit(ownerKinds.shared)}`),
)

const insertDerivedOf = statement<{ source: number; derived: number; now: number }>()((db, p) =>
  db
    .insertInto('partition')
    .columns(['project_id', 'owner_kind', 'owner', 'seq', 'epoch', 'messages', 'term_bytes', 'created_at', 'share', 'distilled_at'])
    .expression(
      db
        .selectFrom('partition as source')
        .select((e) => [
          'project_id',
          e('owner_kind', '+', p('derived')).as('kind'),
          'owner',
          e.lit(0).as('seq'),
          e.lit(0).as('epoch'),
          e.lit(0).as('messages'),
          e.lit(0).as('term_bytes'),
          e.val(p('now')).as('created_at'),
          e.lit(1).as('share'),
          e.lit(0).as('distilled_at'),
        ])
        .where('id', '=', p('source')),
    ),
)

/** The partitions in which something may rest on a partition's messages: its own, the project's, and what is derived of both. */
const around = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('partition as own')
    .innerJoin('partition', 'partition.project_id', 'own.project_id')
    .select('partition.id')
    .where('own.id', '=', p('partition'))
    .where('partition.owner_kind', 'in', sql<number>`${aroundOwn()}`)
    .where('partition.owner', 'in', sql<string>`(own.owner, '')`)
    .where((e) =>
      e.or([e('partition.owner', '=', e.ref('own.owner')), e(sql`partition.owner_kind % 3`, '=', sql`${sql.lit(ownerKinds.shared)}`)]),
    ),
)

/** A function, because the published package has no query builder. */
const aroundOwn = () =>
  sql`(own.owner_kind % 3, own.owner_kind % 3 + ${sql.lit(derivedKind)}, own.owner_kind % 3 + ${sql.lit(knownKind)},
    ${sql.lit(ownerKinds.shared)}, ${sql.lit(ownerKinds.shared + derivedKind)}, ${sql.lit(ownerKinds.shared + knownKind)})`

const updatePartition = statement<Pick<PartitionTable, 'id' | 'seq' | 'epoch' | 'messages' | 'term_bytes'>>()((db, p) =>
  db
    .updateTable('partition')
    .set({ seq: p('seq'), epoch: p('epoch'), messages: p('messages'), term_bytes: p('term_bytes') })
    .where('id', '=', p('id')),
)

const touch = statement<{ id: number }>()((db, p) =>
  db
    .updateTable('partition')
    .set((e) => ({ epoch: e.ref('epoch') }))
    .where('id', '=', p('id')),
)

const selectShare = statement<{ project: string; kind: number; owner: string }>()((db, p) =>
  db
    .selectFrom('partition')
    .select('share')
    .where('project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
    .where('owner_kind', '=', p('kind'))
    .where('owner', '=', p('owner')),
)

const updateShare = statement<{ id: number; share: number }>()((db, p) =>
  db
    .updateTable('partition')
    .set({ share: p('share') })
    .where('id', '=', p('id')),
)

const selectProject = statement<{ name: string }>()((db, p) => db.selectFrom('project').selectAll().where('name', '=', p('name')))

const insertProject = statement<{ name: string; now: number }>()((db, p) =>
  db
    .insertInto('project')
    .values({ name: p('name'), settings: '{}', created_at: p('now'), layers_set: 0, layers_on: 0, sharing_since: null } as never)
    .onConflict((c) => c.doNothing()),
)

const usersAfter = statement<{ project: string; after: string; limit: number }>()((db, p, d) =>
  db
    .selectFrom('partition')
    .select('owner as name')
    .where('project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
    .where('owner_kind', '=', ownerKinds.user)
    .where(d.bytewise(sql.ref('owner')), '>', p('after'))
    .orderBy(d.bytewise(sql.ref('owner')))
    .limit(p('limit')),
)

const countUsers = statement<{ project: string; most: number }>()((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('partition')
        .select('id')
        .where('project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
        .where('owner_kind', '=', ownerKinds.user)
        .limit(p('most'))
        .as('some'),
    )
    .select((e) => e.fn.countAll<number>().as('users')),
)

const projectsAfter = statement<{ after: string; limit: number }>()((db, p, d) =>
  db
    .selectFrom('project')
    .select(['name', 'created_at'])
    .where(d.bytewise(sql.ref('name')), '>', p('after'))
    .orderBy(d.bytewise(sql.ref('name')))
    .limit(p('limit')),
)

const updateSettings = statement<{ id: number; settings: string; set: number; on: number }>()((db, p) =>
  db
    .updateTable('project')
    .set({ settings: p('settings'), layers_set: p('set'), layers_on: p('on') })
    .where('id', '=', p('id')),
)

const raiseDerived = statement<{ project: number }>()((db, p) =>
  db
    .updateTable('partition')
    .set((e) => ({ epoch: e('epoch', '+', 1) }))
    .where('project_id', '=', p('project'))
    .where('owner_kind', '>=', derivedKind),
)

const deleteProjectRow = statement<{ id: number }>()((db, p) => db.deleteFrom('project').where('id', '=', p('id')))

const partitionsOfProject = statement<{ project: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .select([...columns, 'owner', 'owner_kind'])
    .where('project_id', '=', p('project'))
    .orderBy('id'),
)

const namesAt = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(['project.name as project', 'partition.owner_kind as kind', 'partition.owner'])
    .where('partition.id', '=', p('partition')),
)

/** Returns the lookup key of a partition. */
export function keyOf({ project, owner }: PartitionId): { project: string; kind: number; owner: string } {
  return { project, kind: ownerKinds[owner.kind], owner: owner.kind === 'user' ? owner.name : '' }
}

/** Returns the lookup key of a partition that is known by its number. */
export function namesOf(partition: number): Program<ReturnType<typeof keyOf> | undefined> {
  return first(namesAt, { partition })
}

/** Returns the partition's row; undefined while nothing was ever stored in it. */
export function findPartition(partition: PartitionId): Program<PartitionRow | undefined> {
  return first(selectPartition, keyOf(partition))
}

/** Returns the derived partition of an owner; undefined while there is none. */
export function findDerived(partition: PartitionId): Program<PartitionRow | undefined> {
  const { project, kind, owner } = keyOf(partition)
  return first(selectPartition, { project, kind: kind + derivedKind, owner })
}

/** Returns the known partition of an owner; undefined while there is none. */
export function findKnown(partition: PartitionId): Program<PartitionRow | undefined> {
  const { project, kind, owner } = keyOf(partition)
  return first(selectPartition, { project, kind: kind + knownKind, owner })
}

/** Returns the known partition by the number of its source partition. */
export function findKnownOf(source: number): Program<PartitionRow | undefined> {
  return first(derivedOf, { source, derived: knownKind })
}

/** Returns the partition from whose messages a known partition was read. */
export function findSourceOfKnown(known: number): Program<PartitionRow | undefined> {
  return first(derivedOf, { source: known, derived: -knownKind })
}

/** Returns the known partition of a source; makes it when there is none. */
export function ensureKnownOf(source: number, now: number): Program<PartitionRow> {
  return ensureOf(source, knownKind, now)
}

/** Returns the derived partition by the number of its source partition. */
export function findDerivedOf(source: number): Program<PartitionRow | undefined> {
  return first(derivedOf, { source, derived: derivedKind })
}

/** Returns the source partition of a derived one; undefined for a shared bank, whose source is the members' messages. */
export function findSourceOf(derived: number): Program<PartitionRow | undefined> {
  return first(memberSource, { derived })
}

/** Tells whether a partition is the project's own, which its handle writes and all members read. */
export function* isOfProject({ id, project_id: project }: PartitionRow): Program<boolean> {
  return (yield* first(ofProject, { project, kind: ownerKinds.shared, owner: '' }))?.id === id
}

/** Returns the derived partition of a source; makes it when there is none. */
export function ensureDerivedOf(source: number, now: number): Program<PartitionRow> {
  return ensureOf(source, derivedKind, now)
}

function* ensureOf(source: number, derived: number, now: number): Program<PartitionRow> {
  return (yield* first(derivedOf, { source, derived })) ?? (yield* makeOf(source, derived, now))
}

/** Makes the known partition of a source that has none. */
export function makeKnownOf(source: number, now: number): Program<PartitionRow> {
  return makeOf(source, knownKind, now)
}

/** Makes the derived partition of a source that has none. */
export function makeDerivedOf(source: number, now: number): Program<PartitionRow> {
  return makeOf(source, derivedKind, now)
}

function* makeOf(source: number, derived: number, now: number): Program<PartitionRow> {
  const [, made] = yield* abreast([run(insertDerivedOf, { source, derived, now }), first(derivedOf, { source, derived })])
  if (made === undefined) throw lost('partition')
  return made
}

/** Returns the partition of a project's shared bank; makes it when there is none. */
export function* ensureShared(project: number, now: number): Program<PartitionRow> {
  const key = { project, kind: ownerKinds.shared + derivedKind, owner: '' }
  const [, row] = yield* abreast([run(insertPartition, { ...key, now }), first(ofProject, key)])
  if (row === undefined) throw lost('partition')
  return row
}

/** Returns the partition of a project's shared bank by the project's number. */
export function findShared(project: number): Program<PartitionRow | undefined> {
  return first(ofProject, { project, kind: ownerKinds.shared + derivedKind, owner: '' })
}

/** Returns the partitions in which something may rest on a partition's messages, as `among` takes them (dialect.ts). */
export function* nearTo(partition: number): Program<string> {
  return partitionList((yield* all(around, { partition })).map(({ id }) => id))
}

export function partitionById(id: number): Program<PartitionRow | undefined> {
  return first(byId, { id })
}

/** Returns the partition's row; makes it, with its project, when there is none. */
export function* ensurePartition(partition: PartitionId, now: number): Program<PartitionRow> {
  const existing = yield* findPartition(partition)
  if (existing !== undefined) return existing
  const { project, kind, owner } = keyOf(partition)
  const projectId = yield* ensureProject(project, now)
  const [, made] = yield* abreast([run(insertPartition, { project: projectId, kind, owner, now }), findPartition(partition)])
  if (made === undefined) throw lost('partition')
  return made
}

export function* savePartition(row: PartitionRow): Program<void> {
  yield partitionChange(row)
}

/** Returns the step that saves a partition's row, to run in a list. It writes the values of the row as they are now. */
export function partitionChange({ id, seq, epoch, messages, term_bytes }: PartitionRow): SingleStep {
  return change(updatePartition, { id, seq, epoch, messages, term_bytes })
}

export function* ensureProject(name: string, now: number): Program<number> {
  const [, row] = yield* abreast([run(insertProject, { name, now }), first(selectProject, { name })])
  if (row === undefined) throw lost('project')
  return row.id
}

/** Returns a project's number; undefined for an unknown one. */
export function* projectNumber(name: string): Program<number | undefined> {
  return (yield* first(selectProject, { name }))?.id
}

export function* projectSettings(name: string): Program<Readonly<Record<string, unknown>>> {
  const row = yield* first(selectProject, { name })
  return row === undefined ? {} : (JSON.parse(row.settings) as Record<string, unknown>)
}

/** Merges settings into the project's; `null` removes one. */
export function* setProjectSettings(
  name: string,
  changes: Readonly<Record<string, unknown>>,
  now: number,
): Program<Readonly<Record<string, unknown>>> {
  const id = yield* ensureProject(name, now)
  const before = yield* projectSettings(name)
  const settings = { ...before, ...changes }
  const kept = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
  const { set, on } = layersSet(kept['layers'])
  yield* run(updateSettings, { id, settings: JSON.stringify(kept), set, on })
  // These settings decide which digests are due and which facts hold, so both are looked at once more.
  if (['bank', 'timeZone', 'predicates'].some((key) => JSON.stringify(before[key]) !== JSON.stringify(kept[key])))
    yield* run(raiseDerived, { project: id })
  return kept
}

/** Returns the names of a project's users, in the order of their bytes. */
export function* usersOf(project: string, request: ListRequest): Program<Listed<string>> {
  const [after, { limit }] = [namePlace('user', request), request]
  const rows = yield* all(usersAfter, { project, after, limit: limit + 1 })
  return namedPage('user', rows, limit, ({ name }) => name)
}

/** Counts a project's named users; it stops at `mostCountedUsers`. */
export function* countNamedUsers(project: string): Program<number> {
  return (yield* first(countUsers, { project, most: mostCountedUsers }))?.users ?? 0
}

/** Tells whether a user's sessions without a setting of their own feed the project's shared bank. */
export function* sharesByDefault(partition: PartitionId): Program<boolean> {
  const row = yield* first(selectShare, keyOf(partition))
  return row?.share !== 0
}

export function* setShare(partition: PartitionId, share: boolean, now: number): Program<void> {
  const { id } = yield* ensurePartition(partition, now)
  yield* run(updateShare, { id, share: Number(share) })
}

export interface ProjectRow {
  readonly name: string
  readonly createdAt: number
}

/** Returns projects, in the order of their names' bytes. */
export function* projects(request: ListRequest): Program<Listed<ProjectRow>> {
  const [after, { limit }] = [namePlace('project', request), request]
  const rows = yield* all(projectsAfter, { after, limit: limit + 1 })
  return namedPage('project', rows, limit, (row) => ({ name: row.name, createdAt: row.created_at }))
}

/** A partition of a project, and its owner. */
export type ProjectPart = PartitionRow & Pick<PartitionTable, 'owner' | 'owner_kind'>

/** Returns a project's key and its partitions, for deleting it whole. */
export function* projectParts(name: string): Program<{ id: number; createdAt: number; partitions: readonly ProjectPart[] } | undefined> {
  const row = yield* first(selectProject, { name })
  if (row === undefined) return undefined
  return { id: row.id, createdAt: row.created_at, partitions: yield* all(partitionsOfProject, { project: row.id }) }
}

export function dropProject(id: number): Program<void> {
  return run(deleteProjectRow, { id })
}

/**
 * Writes a partition's row unchanged. On a store with snapshots this makes a concurrent forget conflict, and one of the
 * two transactions begins anew.
 */
export function touchPartition(id: number): Program<void> {
  return run(touch, { id })
}
