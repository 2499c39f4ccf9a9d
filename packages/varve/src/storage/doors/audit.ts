import { sql } from 'kysely'
import { type AuditAct, auditActs, type AuditEntry, type AuditNote, mostAuditItems } from '../../observe/audit-entry.ts'
import { reasonToRefuse } from '../../scope/name.ts'
import { type Owner, partitionId, projectName } from '../../scope/partition.ts'
import type { AuditTable } from '../door-tables.ts'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { findPartition, ownerKinds, projectNumber } from '../partitions.ts'
import { abreast, all, allEach, answer, first, type Program, run, runEach } from '../program.ts'
import { statement, type Write } from '../statement.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'

/** The bounds of the audit: the newest rows, for as long as this. */
export const mostAuditRows = 1_000_000
export const auditKeptMs = 400 * 86_400_000

/** The most rows that one transaction prunes. It comes with every write, so that old rows go as new ones come. */
const prunedAtOnce = 2_000

/** The most rows that one transaction takes from a project that is deleted. */
const droppedAtOnce = 5_000

/** The user that stands for the anonymous one. */
const anonymous = '~'

interface AuditRow extends Omit<AuditTable, 'id'> {
  readonly id: number
}

const insert = statement<Omit<AuditRow, 'id'>>()((db, p) =>
  db
    .insertInto('audit')
    .values({
      at: p('at'),
      key_id: p('key_id'),
      project_id: p('project_id'),
      partition_id: p('partition_id'),
      act: p('act'),
      operation: p('operation'),
      status: p('status'),
      items: p('items'),
      request: p('request'),
    }),
)

const keyNumber = statement<{ uuid: Uint8Array }>()((db, p) => db.selectFrom('api_key').select('id').where('uuid', '=', p('uuid')))

// Rows come in the order of their times, or nearly: only the oldest are looked at.
const prune = statement<{ before: number; most: number; atOnce: number }>()((db, p) =>
  db
    .deleteFrom('audit')
    .where('id', 'in', db.selectFrom('audit').select('id').orderBy('id').limit(p('atOnce')))
    .where((e) =>
      e.or([e('at', '<', p('before')), e('id', '<=', e.selectFrom('audit').select(sql<number>`max(id) - ${p('most')}`.as('last')))]),
    ),
)

/** What every list of entries is chosen by. */
interface Range {
  readonly from: number
  readonly to: number
  /** JSON: the acts. */
  readonly acts: string
  readonly before: number
  readonly limit: number
}

/** Builds a list's places. A function, because the published package has no query builder. */
function placesIn(...[db, p, d]: Parameters<Write<Range, unknown>>) {
  return db
    .selectFrom('audit')
    .select(['id as key', sql<number>`octet_length(items) + octet_length(operation)`.as('bytes')])
    .where('at', '>=', p('from'))
    .where('at', '<=', p('to'))
    .where('act', 'in', d.texts(p('acts')))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit'))
}

const ofAll = statement<Range>()((db, p, d) => placesIn(db, p, d))

const ofProject = statement<Range & { project: number }>()((db, p, d) => placesIn(db, p, d).where('project_id', '=', p('project')))

const ofPartition = statement<Range & { partition: number }>()((db, p, d) => placesIn(db, p, d).where('partition_id', '=', p('partition')))

const ofKey = statement<Range & { key: number }>()((db, p, d) => placesIn(db, p, d).where('key_id', '=', p('key')))

const ofKeyInProject = statement<Range & { key: number; project: number }>()((db, p, d) =>
  placesIn(db, p, d).where('key_id', '=', p('key')).where('project_id', '=', p('project')),
)

const ofKeyInPartition = statement<Range & { key: number; partition: number }>()((db, p, d) =>
  placesIn(db, p, d).where('key_id', '=', p('key')).where('partition_id', '=', p('partition')),
)

const byIds = statement<{ ids: string }>()((db, p, d) =>
  db
    .selectFrom('audit')
    .leftJoin('api_key', 'api_key.id', 'audit.key_id')
    .leftJoin('project', 'project.id', 'audit.project_id')
    .leftJoin('partition', 'partition.id', 'audit.partition_id')
    .selectAll('audit')
    .select(['api_key.uuid as key', 'api_key.name as key_name', 'project.name as project', 'partition.owner', 'owner_kind'])
    .where('audit.id', 'in', d.numbers(p('ids'))),
)

const dropSome = statement<{ project: number; limit: number }>()((db, p) =>
  db.deleteFrom('audit').where('id', 'in', db.selectFrom('audit').select('id').where('project_id', '=', p('project')).limit(p('limit'))),
)

const dropOfProject = statement<{ project: number }>()((db, p) => db.deleteFrom('audit').where('project_id', '=', p('project')))

const someOf = statement<{ project: number; limit: number }>()((db, p) =>
  db.selectFrom('audit').select('id').where('project_id', '=', p('project')).limit(p('limit')),
)

/** Names as a caller gave them: they may name nothing. */
interface Named {
  readonly project?: string | undefined
  readonly user?: string | undefined
}

/** Their numbers in the store; 0 for what does not exist. */
interface Numbers {
  readonly project: number
  readonly partition: number
}

/** Stores what callers did, and drops rows over the bounds. */
export function* noteAudit(notes: readonly AuditNote[], now: number, most = mostAuditRows): Program<void> {
  const named = [...new Map(notes.map((note) => [nameOf(note), note])).entries()]
  const keys = [...new Set(notes.flatMap(({ key }) => key ?? []))]
  const numbers = yield* abreast(named.map(([, note]) => numbersOf(note)))
  const rows = yield* allEach(
    keyNumber,
    keys.map((key) => ({ uuid: uuidBytes(key) ?? new Uint8Array() })),
  )
  const byName = new Map(named.map(([name], place) => [name, numbers[place]]))
  const byKey = new Map(keys.map((key, place) => [key, rows[place]?.[0]?.id]))
  yield* runEach(
    insert,
    notes.map((note) => ({
      at: note.at,
      key_id: (note.key === undefined ? undefined : byKey.get(note.key)) ?? 0,
      project_id: byName.get(nameOf(note))?.project ?? 0,
      partition_id: byName.get(nameOf(note))?.partition ?? 0,
      act: note.act,
      operation: note.operation,
      status: note.status,
      items: JSON.stringify(idsIn(note.items ?? [])),
      request: uuidBytes(note.request) ?? new Uint8Array(),
    })),
  )
  yield* run(prune, { before: now - auditKeptMs, most, atOnce: prunedAtOnce })
}

function nameOf({ project, user }: Named): string {
  return JSON.stringify([project, user])
}

/** Keeps uuids alone, so that no content can come in as an id. */
function idsIn(items: readonly string[]): readonly string[] {
  return items.filter((item) => uuidBytes(item) !== undefined).slice(0, mostAuditItems)
}

function* numbersOf({ project, user }: Named): Program<Numbers> {
  const number = reasonToRefuse(project) === undefined && project !== undefined ? yield* projectNumber(project) : undefined
  if (project === undefined || number === undefined) return { project: 0, partition: 0 }
  const owner = ownerOf(user)
  const row = owner === undefined ? undefined : yield* findPartition(partitionId(projectName(project), owner))
  return { project: number, partition: row?.id ?? 0 }
}

function ownerOf(user: string | undefined): Owner | undefined {
  if (user === anonymous) return { kind: 'anonymous' }
  return user === undefined || reasonToRefuse(user) !== undefined ? undefined : { kind: 'user', name: user }
}

/** The entries that a list asks for. */
export interface AuditRequest extends Named, ListRequest {
  /** The id of a key. */
  readonly key?: string | undefined
  readonly act?: AuditAct | undefined
  readonly from: number
  readonly to: number
}

/** Returns what callers did, the newest first. An unknown project, user or key did nothing. */
export function* auditEntries(request: AuditRequest): Program<Listed<AuditEntry>> {
  const [before] = placeOf('audit', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const { limit, from, to, act } = request
  const range = { from, to, before: Number(before), limit: limit + 1, acts: JSON.stringify(act === undefined ? auditActs : [act]) }
  return yield* pageOf(
    { places: yield* placesOf(request, range), limit, cursorOf: ({ key }) => cursorTo('audit', key) },
    (ids) => all(byIds, { ids: JSON.stringify(ids) }),
    (row) => row.id,
    entryOf,
  )
}

type Places = readonly { readonly key: number; readonly bytes: number }[]

function* placesOf({ project: name, user, key: uuid }: AuditRequest, range: Range): Program<Places> {
  const { project, partition } = name === undefined ? { project: 0, partition: 0 } : yield* numbersOf({ project: name, user })
  const key = uuid === undefined ? 0 : ((yield* first(keyNumber, { uuid: uuidBytes(uuid) ?? new Uint8Array() }))?.id ?? 0)
  // The number 0 stands for nothing in rows, and must not find them.
  const isUnknown = (name !== undefined && project === 0) || (user !== undefined && partition === 0) || (uuid !== undefined && key === 0)
  if (isUnknown) return yield* answer([])
  if (user !== undefined)
    return yield* uuid === undefined ? all(ofPartition, { ...range, partition }) : all(ofKeyInPartition, { ...range, partition, key })
  if (name !== undefined)
    return yield* uuid === undefined ? all(ofProject, { ...range, project }) : all(ofKeyInProject, { ...range, project, key })
  return yield* uuid === undefined ? all(ofAll, range) : all(ofKey, { ...range, key })
}

interface JoinedRow extends AuditRow {
  readonly key: Uint8Array | null
  readonly key_name: string | null
  readonly project: string | null
  readonly owner: string | null
  readonly owner_kind: number | null
}

function entryOf(row: JoinedRow): AuditEntry {
  const user = row.owner_kind === ownerKinds.user ? row.owner : row.owner_kind === ownerKinds.anonymous ? anonymous : null
  const items: readonly string[] = JSON.parse(row.items)
  return {
    at: row.at,
    ...(row.key === null ? {} : { key: uuidText(row.key) }),
    ...(row.key_name === null || row.key_name === '' ? {} : { keyName: row.key_name }),
    ...(row.project === null ? {} : { project: row.project }),
    ...(user === null ? {} : { user }),
    act: auditActs.find((act) => act === row.act) ?? 'read',
    operation: row.operation,
    status: row.status,
    items,
    request: row.request.length === 0 ? '' : uuidText(row.request),
  }
}

/** Deletes some of a project's entries. Returns whether more are left. */
export function* dropSomeAudit(project: number, limit = droppedAtOnce): Program<boolean> {
  yield* run(dropSome, { project, limit })
  return (yield* all(someOf, { project, limit: 1 })).length > 0
}

/** Deletes all entries of a project. */
export function dropAuditOf(project: number): Program<void> {
  return run(dropOfProject, { project })
}
