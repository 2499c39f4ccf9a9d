import type { PartitionId } from '../scope/partition.ts'
import { lost } from './lost.ts'
import { type Program, all, first, run } from './program.ts'
import type { PartitionTable } from './schema.ts'
import { statement } from './statement.ts'

/** How an owner is stored. */
export const ownerKinds = { user: 0, anonymous: 1, shared: 2 } as const

/** A partition's row: its key in the store, and its state (`seq`, `epoch`), by which readers know what they lack. */
export type PartitionRow = Pick<PartitionTable, 'id' | 'project_id' | 'seq' | 'epoch' | 'messages' | 'term_bytes'>

// A sub-select, not a join: every call begins with this query, and the driver runs a join ten times slower (12 µs).
const selectPartition = statement<{ project: string; kind: number; owner: string }>()((db, p) =>
  db.selectFrom('partition').select(['id', 'project_id', 'seq', 'epoch', 'messages', 'term_bytes'])
    .where('project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
    .where('owner_kind', '=', p('kind')).where('owner', '=', p('owner')))

const insertPartition = statement<{ project: number; kind: number; owner: string; now: number }>()((db, p) =>
  db.insertInto('partition').values({
    project_id: p('project'), owner_kind: p('kind'), owner: p('owner'), seq: 0, epoch: 0, messages: 0, term_bytes: 0, created_at: p('now'),
  } as PartitionTable))

const updatePartition = statement<Pick<PartitionTable, 'id' | 'seq' | 'epoch' | 'messages' | 'term_bytes'>>()((db, p) =>
  db.updateTable('partition')
    .set({ seq: p('seq'), epoch: p('epoch'), messages: p('messages'), term_bytes: p('term_bytes') })
    .where('id', '=', p('id')))

const selectProject = statement<{ name: string }>()((db, p) => db.selectFrom('project').selectAll().where('name', '=', p('name')))

const insertProject = statement<{ name: string; now: number }>()((db, p) =>
  db.insertInto('project').values({ name: p('name'), settings: '{}', created_at: p('now') } as never).onConflict((c) => c.doNothing()))

const namedUsers = statement<{ project: string }>()((db, p) =>
  db.selectFrom('partition').innerJoin('project', 'project.id', 'partition.project_id').select(['partition.owner'])
    .where('project.name', '=', p('project')).where('partition.owner_kind', '=', ownerKinds.user).orderBy('partition.owner'))

const listProjects = statement<object>()((db) => db.selectFrom('project').select(['name', 'created_at']).orderBy('name'))

const updateSettings = statement<{ id: number; settings: string }>()((db, p) =>
  db.updateTable('project').set({ settings: p('settings') }).where('id', '=', p('id')))

const deleteProjectRow = statement<{ id: number }>()((db, p) => db.deleteFrom('project').where('id', '=', p('id')))

const partitionsOfProject = statement<{ project: number }>()((db, p) =>
  db.selectFrom('partition').select(['id', 'owner', 'owner_kind']).where('project_id', '=', p('project')))

function keyOf({ project, owner }: PartitionId): { project: string; kind: number; owner: string } {
  return { project, kind: ownerKinds[owner.kind], owner: owner.kind === 'user' ? owner.name : '' }
}

/** The partition's row, or undefined while nothing was ever stored in it. */
export function findPartition(partition: PartitionId): Program<PartitionRow | undefined> {
  return first(selectPartition, keyOf(partition))
}

/** The partition's row, made (with its project) when there is none. */
export function* ensurePartition(partition: PartitionId, now: number): Program<PartitionRow> {
  const existing = yield* findPartition(partition)
  if (existing !== undefined) return existing
  const { project, kind, owner } = keyOf(partition)
  const projectId = yield* ensureProject(project, now)
  yield* run(insertPartition, { project: projectId, kind, owner, now })
  const made = yield* findPartition(partition)
  if (made === undefined) throw lost('partition')
  return made
}

export function savePartition(row: PartitionRow): Program<void> {
  const { id, seq, epoch, messages, term_bytes } = row
  return run(updatePartition, { id, seq, epoch, messages, term_bytes })
}

export function* ensureProject(name: string, now: number): Program<number> {
  yield* run(insertProject, { name, now })
  const row = yield* first(selectProject, { name })
  if (row === undefined) throw lost('project')
  return row.id
}

export function* projectSettings(name: string): Program<Readonly<Record<string, unknown>>> {
  const row = yield* first(selectProject, { name })
  return row === undefined ? {} : (JSON.parse(row.settings) as Record<string, unknown>)
}

/** Merges settings into what the project has; `null` takes one away. */
export function* setProjectSettings(name: string, changes: Readonly<Record<string, unknown>>, now: number): Program<Readonly<Record<string, unknown>>> {
  const id = yield* ensureProject(name, now)
  const settings = { ...(yield* projectSettings(name)), ...changes }
  const kept = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
  yield* run(updateSettings, { id, settings: JSON.stringify(kept) })
  return kept
}

export function* usersOf(project: string): Program<readonly string[]> {
  const rows = yield* all(namedUsers, { project })
  return rows.map((row) => row.owner)
}

export interface ProjectRow {
  readonly name: string
  readonly createdAt: number
}

export function* projects(): Program<readonly ProjectRow[]> {
  const rows = yield* all(listProjects, {})
  return rows.map((row) => ({ name: row.name, createdAt: row.created_at }))
}

/** A project's key and its partitions, for deleting it whole. */
export function* projectParts(name: string): Program<{ id: number; partitions: readonly { id: number; owner: string }[] } | undefined> {
  const row = yield* first(selectProject, { name })
  if (row === undefined) return undefined
  return { id: row.id, partitions: yield* all(partitionsOfProject, { project: row.id }) }
}

export function dropProject(id: number): Program<void> {
  return run(deleteProjectRow, { id })
}
