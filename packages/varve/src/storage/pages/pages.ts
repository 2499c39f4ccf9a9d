import type { Schema } from '../schema.ts'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Sized, TimedPlace } from '../listed.ts'
import { lost } from '../lost.ts'
import type { PageRevisionTable, PageTable } from '../page-tables.ts'
import { type Program, abreast, all, change, first, run, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'
import { spansIn } from './authors.ts'

/** The kinds of pages, as they are stored. */
export const pageKinds = { document: 0, notes: 1 } as const

/** The number of a page, and its partition. */
export type PageKey = Pick<PageTable, 'id' | 'partition_id'>

/** A page with the authors of its lines, its writer, and the caller's name of its session. */
export type StoredPage = PageTable & Pick<PageRevisionTable, 'authors' | 'writer' | 'described_by'> & { readonly session: string | null }

/** A revision of a page, and the messages on which it rests. */
export type RevisionOrigin = Pick<PageTable, keyof PageKey | 'uuid' | 'kind'> & Pick<PageRevisionTable, 'revision' | 'writer' | 'spans'>

/** Selects pages in their present revision. */
function standing(db: Kysely<Schema>, d: Dialect, partition: number) {
  return db
    .selectFrom('page')
    .innerJoin('page_revision as wrote', (join) =>
      join.onRef('wrote.page_id', '=', 'page.id').onRef('wrote.revision', '=', 'page.revision').$call(d.joinedApart('wrote', partition)),
    )
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'page.session_id').$call(d.joined('session', partition)))
    .selectAll('page')
    .select(['wrote.authors', 'wrote.writer', 'wrote.described_by', 'session.external_id as session'])
}

const byName = statement<{ partition: number; kind: number; session: number; key: string }>()((db, p, d) =>
  standing(db, d, p('partition'))
    .where('page.partition_id', '=', p('partition'))
    .where('page.kind', '=', p('kind'))
    .where('page.session_id', '=', p('session'))
    .where('page.name_key', '=', p('key')),
)

const byId = statement<{ partition: number; id: number }>()((db, p, d) =>
  standing(db, d, p('partition'))
    .where('page.id', '=', p('id'))
    .$call(d.within(p('partition'), 'page')),
)

const placesAfter = statement<{ partition: number; kind: number; at: number; key: number; limit: number }>()((db, p) =>
  db
    .selectFrom('page')
    .select(['id as key', 'updated_at as at', sql<number>`octet_length(name) + octet_length(description)`.as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', p('kind'))
    .where(sql<boolean>`(updated_at, id) < (${p('at')}, ${p('key')})`)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const byIds = statement<{ partition: number; ids: string }>()((db, p, d) =>
  standing(db, d, p('partition'))
    .where('page.id', 'in', d.numbers(p('ids')))
    .$call(d.within(p('partition'), 'page')),
)

const idsOf = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('page').select(['id', 'partition_id', 'uuid', 'kind']).where('partition_id', '=', p('partition')),
)

const ofSession = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('page')
    .select(['id', 'partition_id', 'uuid', 'kind'])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('session_id', '>', sql<number>`0`),
)

const countOf = statement<{ partition: number; kind: number }>()((db, p) =>
  db
    .selectFrom('page')
    .select((e) => e.fn.countAll<number>().as('pages'))
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', p('kind')),
)

const originsOf = statement<{ near: string; session: number }>()((db, p, d) =>
  db
    .selectFrom('page_source')
    .innerJoin('page', (join) => join.onRef('page.id', '=', 'page_source.page_id').$call(d.beside('page', 'page_source')))
    .innerJoin('page_revision', (join) =>
      join.onRef('page_revision.page_id', '=', 'page.id').$call(d.beside('page_revision', 'page_source')),
    )
    .select([
      'page.id',
      'page.partition_id',
      'page.uuid',
      'page.kind',
      'page_revision.revision',
      'page_revision.writer',
      'page_revision.spans',
    ])
    .where('page_source.session_id', '=', p('session'))
    .$call(d.amongApart(p('near'), 'page_source', 'page_revision'))
    .$call(d.among(p('near'), 'page'))
    .orderBy('page.id')
    .orderBy('page_revision.revision', 'desc'),
)

const sourcesOfPage = statement<{ partition: number; page: number }>()((db, p, d) =>
  db
    .selectFrom('page_source')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'page_source.session_id').$call(d.joined('session', p('partition'))))
    .select(['session.id', 'session.external_id as session'])
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition'), 'page_source')),
)

const insertPage = statement<Omit<PageTable, 'id'>>()((db, p) =>
  db
    .insertInto('page')
    .values({
      uuid: p('uuid'),
      partition_id: p('partition_id'),
      kind: p('kind'),
      session_id: p('session_id'),
      name: p('name'),
      name_key: p('name_key'),
      max_chars: p('max_chars'),
      revision: p('revision'),
      description: p('description'),
      content: p('content'),
      created_at: p('created_at'),
      updated_at: p('updated_at'),
      noted_seq: p('noted_seq'),
      noted_tokens: p('noted_tokens'),
      noted_calls: p('noted_calls'),
      indexed: p('indexed'),
    }),
)

const idOf = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('page')
    .select('id')
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const updatePage = statement<
  Pick<PageTable, 'id' | 'max_chars' | 'revision' | 'description' | 'content' | 'updated_at' | 'indexed'> & { partition: number }
>()((db, p, d) =>
  db
    .updateTable('page')
    .set({
      max_chars: p('max_chars'),
      revision: p('revision'),
      description: p('description'),
      content: p('content'),
      updated_at: p('updated_at'),
      indexed: p('indexed'),
    })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const setNoted = statement<Pick<PageTable, 'id' | 'noted_seq' | 'noted_tokens' | 'noted_calls'> & { partition: number }>()((db, p, d) =>
  db
    .updateTable('page')
    .set({ noted_seq: p('noted_seq'), noted_tokens: p('noted_tokens'), noted_calls: p('noted_calls') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const setIndexed = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .updateTable('page')
    .set({ indexed: 1 })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const staleIn = statement<object>()((db) =>
  db
    .selectFrom('page')
    .select(['id', 'partition_id'])
    .where('indexed', '=', sql<number>`0`),
)

const deletePageRow = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('page')
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const insertRevision = statement<PageRevisionTable & { partition: number }>()((db, p, d) =>
  db
    .insertInto('page_revision')
    .values(
      d.apart(
        { partition_id: p('partition') },
        {
          page_id: p('page_id'),
          revision: p('revision'),
          description: p('description'),
          described_by: p('described_by'),
          content: p('content'),
          authors: p('authors'),
          writer: p('writer'),
          written_at: p('written_at'),
          read_from: p('read_from'),
          spans: p('spans'),
        },
      ),
    ),
)

const deleteRevisions = statement<{ partition: number; page: number }>()((db, p, d) =>
  db
    .deleteFrom('page_revision')
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition'))),
)

const addSource = statement<{ partition: number; session: number; page: number }>()((db, p, d) =>
  db
    .insertInto('page_source')
    .values(d.apart({ partition_id: p('partition') }, { session_id: p('session'), page_id: p('page') }))
    .onConflict((c) => c.doNothing()),
)

const dropSources = statement<{ partition: number; page: number }>()((db, p, d) =>
  db
    .deleteFrom('page_source')
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition'))),
)

/** Returns a document of a partition by its folded name. */
export function findDocument(partition: number, key: string): Program<StoredPage | undefined> {
  return first(byName, { partition, kind: pageKinds.document, session: 0, key })
}

/** Returns the notes of a session. */
export function findNotes(partition: number, session: number): Program<StoredPage | undefined> {
  return first(byName, { partition, kind: pageKinds.notes, session, key: '' })
}

/** Returns the page of a partition with this id; undefined when it is gone. */
export function* findPage(partition: number, id: string): Program<StoredPage | undefined> {
  const uuid = uuidBytes(id)
  const found = uuid === undefined ? undefined : yield* first(idOf, { partition, uuid })
  return found === undefined ? undefined : yield* pageById({ id: found.id, partition_id: partition })
}

export function pageById({ id, partition_id: partition }: PageKey): Program<StoredPage | undefined> {
  return first(byId, { partition, id })
}

/** Returns the places of pages of a kind in their list, the last changed first: their numbers, and the size of an entry's text. */
export function pagePlaces(
  partition: number,
  kind: number,
  { at, key }: TimedPlace,
  limit: number,
): Program<readonly (Sized & TimedPlace)[]> {
  return all(placesAfter, { partition, kind, at, key, limit })
}

/** Returns pages by their numbers, in any order. The texts of all pages of a partition are too much to hold at once. */
export function pagesAt(partition: number, ids: readonly number[]): Program<readonly StoredPage[]> {
  return all(byIds, { partition, ids: JSON.stringify(ids) })
}

export function* countPages(partition: number, kind: number): Program<number> {
  return (yield* first(countOf, { partition, kind }))?.pages ?? 0
}

/** Returns the ids of all pages of a partition, by their numbers. */
export function pageIdsOf(partition: number): Program<readonly Pick<PageTable, keyof PageKey | 'uuid' | 'kind'>[]> {
  return all(idsOf, { partition })
}

/** Returns the pages of a session: its notes. */
export function pageIdsOfSession(partition: number, session: number): Program<readonly Pick<PageTable, keyof PageKey | 'uuid' | 'kind'>[]> {
  return all(ofSession, { partition, session })
}

/**
 * Returns the sources of each revision of the pages that rest on a session, the newest first. Without the words: there
 * may be many pages.
 */
export function originsUnder(near: string, session: number): Program<readonly RevisionOrigin[]> {
  return all(originsOf, { near, session })
}

/** Returns the sessions on whose messages a page rests, by their callers' names. */
export function* sessionsUnderPage({ id: page, partition_id: partition }: PageKey): Program<ReadonlyMap<number, string>> {
  return new Map((yield* all(sourcesOfPage, { partition, page })).map(({ id, session }) => [id, session]))
}

/** Stores a new page and returns its number. The caller stores its revision. */
export function* storePage({ id, ...page }: Omit<PageTable, 'id' | 'uuid'> & { readonly id: string }): Program<number> {
  const uuid = uuidBytes(id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${id}`)
  const [, row] = yield* abreast([run(insertPage, { ...page, uuid }), first(idOf, { partition: page.partition_id, uuid })])
  if (row === undefined) throw lost('page')
  return row.id
}

export function changePage({
  id,
  partition_id: partition,
  max_chars,
  revision,
  description,
  content,
  updated_at,
  indexed,
}: Pick<PageTable, keyof PageKey | 'max_chars' | 'revision' | 'description' | 'content' | 'updated_at' | 'indexed'>): Program<void> {
  return run(updatePage, { partition, id, max_chars, revision, description, content, updated_at, indexed })
}

/** Moves the cursor of notes. */
export function moveNoted({
  id,
  partition_id: partition,
  noted_seq,
  noted_tokens,
  noted_calls,
}: Pick<PageTable, keyof PageKey | 'noted_seq' | 'noted_tokens' | 'noted_calls'>): Program<void> {
  return run(setNoted, { partition, id, noted_seq, noted_tokens, noted_calls })
}

/** Returns the pages whose passages must be made anew. */
export function pagesToIndex(): Program<readonly PageKey[]> {
  return all(staleIn, {})
}

export function pageIndexed({ id, partition_id: partition }: PageKey): Program<void> {
  return run(setIndexed, { partition, id })
}

/** Stores a revision, and the sessions on which it rests. */
export function* storePageRevision(partition: number, revision: PageRevisionTable): Program<void> {
  const sessions = new Set(spansIn(revision).map(([one]) => one))
  yield* runList([
    change(insertRevision, { partition, ...revision }),
    ...[...sessions].map((session) => change(addSource, { partition, session, page: revision.page_id })),
  ])
}

/** Replaces the sessions on which a page rests. */
export function replaceSources({ id: page, partition_id: partition }: PageKey, sessions: Iterable<number>): Program<void> {
  return runList([
    change(dropSources, { partition, page }),
    ...[...sessions].map((session) => change(addSource, { partition, session, page })),
  ])
}

/** Takes a page out, with its revisions. The caller takes its passages and facts out. */
export function dropPage({ id, partition_id: partition }: PageKey): Program<void> {
  return runList([
    change(dropSources, { partition, page: id }),
    change(deleteRevisions, { partition, page: id }),
    change(deletePageRow, { partition, id }),
  ])
}
