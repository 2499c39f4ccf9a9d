import { sql } from 'kysely'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { lost } from '../lost.ts'
import { type Program, all, change, first, run, runList } from '../program.ts'
import type { ImportTable, Schema } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'
import { workKinds } from '../work.ts'

/**
 * The states of an import, as they are stored: its lines come, or ended half way; it waits; its lines are applied; it is
 * thrown away, in several transactions.
 */
export const importStates = { coming: 0, waiting: 1, applying: 2, discarding: 3 } as const

/** Whose word an import is, as it is stored: somebody's, a trusted key's, this store's own, or nobody's since it was changed. */
export const importTrust = { foreign: 0, trusted: 1, own: 2, changed: 3 } as const

/** Holds sessions while they come. */
export const importHolder = 'import'

/** What an import notes of its own numbers: where facts stand, how sessions came, and which messages it left out or moved. */
export const placeKinds = { fact: 0, session: 1, block: 2, page: 3, item: 5, ofSession: 1_000 } as const

/** How a session that comes whole with an import stands to the store: it was there without a message, or the import made it. */
export const sessionModes = { filled: 1, made: 2 } as const

export type ImportRow = Omit<ImportTable, 'id'> & { readonly id: number }

/** The number of an import, and its partition. */
export type ImportKey = Pick<ImportRow, 'id' | 'partition_id'>

const insert = statement<Omit<ImportTable, 'id'>>()((db, p) =>
  db
    .insertInto('import')
    .values({
      uuid: p('uuid'),
      partition_id: p('partition_id'),
      bundle: p('bundle'),
      header: p('header'),
      state: p('state'),
      trust: p('trust'),
      lines: p('lines'),
      bytes: p('bytes'),
      applied: p('applied'),
      created_at: p('created_at'),
      counts: p('counts'),
    }),
)

const byUuid = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('import')
    .selectAll()
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const byKeys = statement<{ partition: number; keys: string }>()((db, p, d) =>
  db
    .selectFrom('import')
    .selectAll()
    .where('id', 'in', d.numbers(p('keys')))
    .$call(d.within(p('partition'))),
)

const ofPartition = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('import')
    .select(['id', 'uuid', 'bundle', 'state', 'lines', 'bytes', 'applied', 'created_at'])
    .where('partition_id', '=', p('partition'))
    .orderBy('id'),
)

const ofProjectPart = statement<{ near: string; project: number; kind: number; until: number }>()((db, p, d) =>
  db
    .selectFrom('import')
    .select(['id', 'partition_id'])
    .where('created_at', '<=', p('until'))
    .where(
      'partition_id',
      'in',
      db.selectFrom('partition').select('id').where('project_id', '=', p('project')).where('owner_kind', '=', p('kind')),
    )
    .$call(d.among(p('near'))),
)

const sizesBefore = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('import')
    .select(['id as key', sql<number>`octet_length(header) + octet_length(counts)`.as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const update = statement<Pick<ImportRow, 'id' | 'state' | 'trust' | 'lines' | 'bytes' | 'applied' | 'counts'> & { partition: number }>()(
  (db, p, d) =>
    db
      .updateTable('import')
      .set({ state: p('state'), trust: p('trust'), lines: p('lines'), bytes: p('bytes'), applied: p('applied'), counts: p('counts') })
      .where('id', '=', p('id'))
      .$call(d.within(p('partition'))),
)

const setState = statement<Pick<ImportRow, 'id' | 'state'> & { partition: number }>()((db, p, d) =>
  db
    .updateTable('import')
    .set({ state: p('state') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const insertLines = statement<Schema['import_lines'] & { partition: number }>()((db, p, d) =>
  db
    .insertInto('import_lines')
    .values(
      d.apart({ partition_id: p('partition') }, { import_id: p('import_id'), first: p('first'), lines: p('lines'), body: p('body') }),
    ),
)

const linesAt = statement<{ partition: number; id: number; line: number }>()((db, p, d) =>
  db
    .selectFrom('import_lines')
    .selectAll()
    .where('import_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .where('first', '<=', p('line'))
    .orderBy('first', 'desc')
    .limit(1),
)

const anyLines = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .selectFrom('import_lines')
    .select('first')
    .where('import_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .limit(1),
)

const dropSomeLines = statement<{ partition: number; id: number; limit: number }>()((db, p, d) =>
  db
    .deleteFrom('import_lines')
    .where('import_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .where(
      'first',
      'in',
      db
        .selectFrom('import_lines')
        .select('first')
        .where('import_id', '=', p('id'))
        .$call(d.withinApart(p('partition')))
        .orderBy('first')
        .limit(p('limit')),
    ),
)

const dropLines = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('import_lines')
    .where('import_id', '=', p('id'))
    .$call(d.withinApart(p('partition'))),
)

const leaveSessions = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('work')
    .where('kind', '=', sql<number>`${sql.lit(workKinds.session)}`)
    .where('lease_holder', '=', sql<string>`${sql.lit(importHolder)}`)
    .where(
      'ref',
      'in',
      db
        .selectFrom('import_place')
        .select('theirs')
        .where('import_id', '=', p('id'))
        .$call(d.withinApart(p('partition')))
        .where('kind', '=', sql<number>`${sql.lit(placeKinds.session)}`),
    ),
)

const keep = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .updateTable('import_place')
    .set({ ours: sql<number>`${sql.lit(sessionModes.filled)}` })
    .where('import_id', 'in', db.selectFrom('import').select('id').where('partition_id', '=', p('partition')))
    .where('kind', '=', sql<number>`${sql.lit(placeKinds.session)}`)
    .where('theirs', '=', p('session'))
    .$call(d.withinApart(p('partition'))),
)

const dropPlaces = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('import_place')
    .where('import_id', '=', p('id'))
    .$call(d.withinApart(p('partition'))),
)

const dropRow = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('import')
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const insertPlace = statement<Schema['import_place'] & { partition: number }>()((db, p, d) =>
  db
    .insertInto('import_place')
    .values(d.apart({ partition_id: p('partition') }, { import_id: p('import_id'), kind: p('kind'), theirs: p('theirs'), ours: p('ours') }))
    .onConflict((c) => c.expression(d.key(['import_id', 'kind', 'theirs'])).doUpdateSet({ ours: p('ours') })),
)

const placesAt = statement<{ partition: number; id: number; kind: number; theirs: string }>()((db, p, d) =>
  db
    .selectFrom('import_place')
    .select(['theirs', 'ours'])
    .where('import_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .where('kind', '=', p('kind'))
    .where('theirs', 'in', d.numbers(p('theirs'))),
)

const placesOf = statement<{ partition: number; id: number; kind: number }>()((db, p, d) =>
  db
    .selectFrom('import_place')
    .select(['theirs', 'ours'])
    .where('import_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .where('kind', '=', p('kind')),
)

/** Stores a new import without lines, and returns its row. */
export function* storeImport(
  row: Pick<ImportRow, 'partition_id' | 'bundle' | 'header'> & { readonly id: string },
  now: number,
): Program<ImportRow> {
  const uuid = uuidBytes(row.id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${row.id}`)
  const { partition_id, bundle, header } = row
  const empty = { state: importStates.coming, trust: importTrust.foreign, lines: 0, bytes: 0, applied: 0, counts: '{}' }
  yield* run(insert, { uuid, partition_id, bundle, header, created_at: now, ...empty })
  const made = yield* first(byUuid, { partition: partition_id, uuid })
  if (made === undefined) throw lost('import')
  return made
}

/** Returns an import of a partition by its id. */
export function* importById(partition: number, id: string): Program<ImportRow | undefined> {
  const uuid = uuidBytes(id)
  return uuid === undefined ? undefined : yield* first(byUuid, { partition, uuid })
}

/** An import without its header and counts. */
export type ImportOutline = Pick<ImportRow, 'id' | 'uuid' | 'bundle' | 'state' | 'lines' | 'bytes' | 'applied' | 'created_at'>

export function importsOf(partition: number): Program<readonly ImportOutline[]> {
  return all(ofPartition, { partition })
}

/** Returns the numbers of a project's imports of one kind of owner. `near` names the partitions around any of it. */
export function importsOfProject(near: string, project: number, kind: number, until: number): Program<readonly ImportKey[]> {
  return all(ofProjectPart, { near, project, kind, until })
}

/** Returns the imports that are not done, the newest first. */
export function* importsNotDone(partition: number, request: ListRequest): Program<Listed<ImportRow>> {
  const [before] = placeOf('import', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const { limit } = request
  const places = yield* all(sizesBefore, { partition, before: Number(before), limit: limit + 1 })
  return yield* pageOf(
    { places, limit, cursorOf: ({ key }) => cursorTo('import', key) },
    (keys) => all(byKeys, { partition, keys: JSON.stringify(keys) }),
    (row) => row.id,
    (row) => row,
  )
}

export function saveImport({ id, partition_id: partition, state, trust, lines, bytes, applied, counts }: ImportRow): Program<void> {
  return run(update, { partition, id, state, trust, lines, bytes, applied, counts })
}

/** Marks an import as thrown away: from then on nobody adds to it or applies it. */
export function beginDiscarding({ id, partition_id: partition }: ImportKey): Program<void> {
  return run(setState, { partition, id, state: importStates.discarding })
}

export function storeImportLines(partition: number, lines: Schema['import_lines']): Program<void> {
  return run(insertLines, { partition, ...lines })
}

/** Returns the page of an import that has a line; undefined past its end. */
export function* importLinesWith({ id, partition_id: partition }: ImportKey, line: number): Program<Schema['import_lines'] | undefined> {
  const page = yield* first(linesAt, { partition, id, line })
  return page === undefined || line >= page.first + page.lines ? undefined : page
}

/** Drops some lines of an import. Returns whether there are more. */
export function* dropSomeImportLines({ id, partition_id: partition }: ImportKey, limit: number): Program<boolean> {
  yield* run(dropSomeLines, { partition, id, limit })
  return (yield* first(anyLines, { partition, id })) !== undefined
}

/** Drops imports with all of their lines. Upkeep may have the sessions that they hold. */
export function* dropImports(imports: readonly ImportKey[]): Program<void> {
  yield* runList(
    imports
      .map(({ id, partition_id: partition }) => ({ partition, id }))
      .flatMap((one) => [change(leaveSessions, one), change(dropLines, one), change(dropPlaces, one), change(dropRow, one)]),
  )
}

export interface NotedPlace {
  readonly kind: number
  readonly theirs: number
  readonly ours: number
}

export function notePlaces({ id, partition_id: partition }: ImportKey, places: readonly NotedPlace[]): Program<void> {
  return runList(places.map((place) => change(insertPlace, { partition, import_id: id, ...place })))
}

export function* notedAt(
  { id, partition_id: partition }: ImportKey,
  kind: number,
  theirs: Iterable<number>,
): Program<ReadonlyMap<number, number>> {
  const asked = [...theirs]
  if (asked.length === 0) return new Map()
  return new Map((yield* all(placesAt, { partition, id, kind, theirs: JSON.stringify(asked) })).map((row) => [row.theirs, row.ours]))
}

export function* allNoted({ id, partition_id: partition }: ImportKey, kind: number): Program<ReadonlyMap<number, number>> {
  return new Map((yield* all(placesOf, { partition, id, kind })).map((row) => [row.theirs, row.ours]))
}

/** Notes that somebody changed a session that imports made: they drop it no more, though it has no message. */
export function keepImportedSession(partition: number, session: number): Program<void> {
  return run(keep, { partition, session })
}
