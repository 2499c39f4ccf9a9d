import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Sized, TimedPlace } from '../listed.ts'
import { lost } from '../lost.ts'
import type { PageRevisionTable, PageTable } from '../page-tables.ts'
import { type Program, abreast, all, change, first, run, runEach, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'
import { spansIn } from './authors.ts'

/** The kinds of pages, as they are stored. */
export const pageKinds = { document: 0, notes: 1 } as const

/** A page with the authors of its lines, its writer, and the caller's name of its session. */
export type StoredPage = PageTable & Pick<PageRevisionTable, 'authors' | 'writer' | 'described_by'> & { readonly session: string | null }

/** A revision of a page, and the messages on which it rests. */
export type RevisionOrigin = Pick<PageTable, 'id' | 'uuid' | 'kind'> & Pick<PageRevisionTable, 'revision' | 'writer' | 'spans'>

const byName = statement<{ partition: number; kind: number; session: number; key: string }>()((db, p) =>
  db
    .selectFrom('page')
    .innerJoin('page_revision as wrote', (join) =>
      join.onRef('wrote.page_id', '=', 'page.id').onRef('wrote.revision', '=', 'page.revision'),
    )
    .leftJoin('session', 'session.id', 'page.session_id')
    .selectAll('page')
    .select(['wrote.authors', 'wrote.writer', 'wrote.described_by', 'session.external_id as session'])
    .where('page.partition_id', '=', p('partition'))
    .where('page.kind', '=', p('kind'))
    .where('page.session_id', '=', p('session'))
    .where('page.name_key', '=', p('key')),
)

const byId = statement<{ id: number }>()((db, p) =>
  db
    .selectFrom('page')
    .innerJoin('page_revision as wrote', (join) =>
      join.onRef('wrote.page_id', '=', 'page.id').onRef('wrote.revision', '=', 'page.revision'),
    )
    .leftJoin('session', 'session.id', 'page.session_id')
    .selectAll('page')
    .select(['wrote.authors', 'wrote.writer', 'wrote.described_by', 'session.external_id as session'])
    .where('page.id', '=', p('id')),
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

const byIds = statement<{ ids: string }>()((db, p, d) =>
  db
    .selectFrom('page')
    .innerJoin('page_revision as wrote', (join) =>
      join.onRef('wrote.page_id', '=', 'page.id').onRef('wrote.revision', '=', 'page.revision'),
    )
    .leftJoin('session', 'session.id', 'page.session_id')
    .selectAll('page')
    .select(['wrote.authors', 'wrote.writer', 'wrote.described_by', 'session.external_id as session'])
    .where('page.id', 'in', d.numbers(p('ids'))),
)

const idsOf = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('page').select(['id', 'uuid', 'kind']).where('partition_id', '=', p('partition')),
)

const ofSession = statement<{ session: number }>()((db, p) =>
  db
    .selectFrom('page')
    .select(['id', 'uuid', 'kind'])
    .where('session_id', '=', p('session'))
    .where('session_id', '>', sql<number>`0`),
)

const countOf = statement<{ partition: number; kind: number }>()((db, p) =>
  db
    .selectFrom('page')
    .select((e) => e.fn.countAll<number>().as('pages'))
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', p('kind')),
)

const originsOf = statement<{ session: number }>()((db, p) =>
  db
    .selectFrom('page_source')
    .innerJoin('page', 'page.id', 'page_source.page_id')
    .innerJoin('page_revision', 'page_revision.page_id', 'page.id')
    .select(['page.id', 'page.uuid', 'page.kind', 'page_revision.revision', 'page_revision.writer', 'page_revision.spans'])
    .where('page_source.session_id', '=', p('session'))
    .orderBy('page.id')
    .orderBy('page_revision.revision', 'desc'),
)

const sourcesOfPage = statement<{ page: number }>()((db, p) =>
  db
    .selectFrom('page_source')
    .innerJoin('session', 'session.id', 'page_source.session_id')
    .select(['session.id', 'session.external_id as session'])
    .where('page_id', '=', p('page')),
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

const idOf = statement<{ uuid: Uint8Array }>()((db, p) => db.selectFrom('page').select('id').where('uuid', '=', p('uuid')))

const updatePage = statement<Pick<PageTable, 'id' | 'max_chars' | 'revision' | 'description' | 'content' | 'updated_at' | 'indexed'>>()(
  (db, p) =>
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
      .where('id', '=', p('id')),
)

const setNoted = statement<Pick<PageTable, 'id' | 'noted_seq' | 'noted_tokens' | 'noted_calls'>>()((db, p) =>
  db
    .updateTable('page')
    .set({ noted_seq: p('noted_seq'), noted_tokens: p('noted_tokens'), noted_calls: p('noted_calls') })
    .where('id', '=', p('id')),
)

const setIndexed = statement<{ id: number }>()((db, p) => db.updateTable('page').set({ indexed: 1 }).where('id', '=', p('id')))

const staleIn = statement<object>()((db) =>
  db
    .selectFrom('page')
    .select('id')
    .where('indexed', '=', sql<number>`0`),
)

const deletePageRow = statement<{ id: number }>()((db, p) => db.deleteFrom('page').where('id', '=', p('id')))

const insertRevision = statement<PageRevisionTable>()((db, p) =>
  db
    .insertInto('page_revision')
    .values({
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
    }),
)

const updateRevision = statement<
  Pick<PageRevisionTable, 'page_id' | 'revision' | 'description' | 'described_by' | 'content' | 'authors' | 'spans'>
>()((db, p) =>
  db
    .updateTable('page_revision')
    .set({
      description: p('description'),
      described_by: p('described_by'),
      content: p('content'),
      authors: p('authors'),
      spans: p('spans'),
    })
    .where('page_id', '=', p('page_id'))
    .where('revision', '=', p('revision')),
)

const deleteRevision = statement<{ page: number; revision: number }>()((db, p) =>
  db.deleteFrom('page_revision').where('page_id', '=', p('page')).where('revision', '=', p('revision')),
)

const deleteRevisions = statement<{ page: number }>()((db, p) => db.deleteFrom('page_revision').where('page_id', '=', p('page')))

const revisionsOf = statement<{ page: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('page_revision')
    .selectAll()
    .where('page_id', '=', p('page'))
    .where('revision', '<', p('before'))
    .orderBy('revision', 'desc')
    .limit(p('limit')),
)

/**
 * Tells by its size, without reading it, whether a text was dropped. A function, because the published package has no
 * query builder.
 */
const isLetGo = (d: Dialect) => d.flag(sql`octet_length(content) is null`).as('isLetGo')

const outlines = statement<{ page: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select([
      'page_id',
      'revision',
      'description',
      'described_by',
      'writer',
      'written_at',
      'read_from',
      'spans',
      'authors',
      isLetGo(d),
      sql<number>`coalesce(octet_length(content), 0)`.as('bytes'),
    ])
    .where('page_id', '=', p('page'))
    .orderBy('revision', 'desc'),
)

const textsAt = statement<{ page: number; revisions: string }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'content'])
    .where('page_id', '=', p('page'))
    .where('revision', 'in', d.numbers(p('revisions'))),
)

const updateSpans = statement<{ page: number; revision: number; spans: string }>()((db, p) =>
  db
    .updateTable('page_revision')
    .set({ spans: p('spans') })
    .where('page_id', '=', p('page'))
    .where('revision', '=', p('revision')),
)

const revisionAt = statement<{ page: number; revision: number }>()((db, p) =>
  db.selectFrom('page_revision').selectAll().where('page_id', '=', p('page')).where('revision', '=', p('revision')),
)

const lineages = statement<{ page: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'authors', 'spans', 'described_by', isLetGo(d)])
    .where('page_id', '=', p('page')),
)

const lineagesAfter = statement<{ page: number; after: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'authors', 'spans', 'described_by', isLetGo(d)])
    .where('page_id', '=', p('page'))
    .where('revision', '>', p('after'))
    .orderBy('revision')
    .limit(p('limit')),
)

const letGo = statement<{ page: number; revision: number }>()((db, p) =>
  db
    .updateTable('page_revision')
    .set({ content: null, description: '', described_by: 0 })
    .where('page_id', '=', p('page'))
    .where('revision', '=', p('revision')),
)

const addSource = statement<{ session: number; page: number }>()((db, p) =>
  db
    .insertInto('page_source')
    .values({ session_id: p('session'), page_id: p('page') })
    .onConflict((c) => c.doNothing()),
)

const dropSources = statement<{ page: number }>()((db, p) => db.deleteFrom('page_source').where('page_id', '=', p('page')))

/** Returns a document of a partition by its folded name. */
export function findDocument(partition: number, key: string): Program<StoredPage | undefined> {
  return first(byName, { partition, kind: pageKinds.document, session: 0, key })
}

/** Returns the notes of a session. */
export function findNotes(partition: number, session: number): Program<StoredPage | undefined> {
  return first(byName, { partition, kind: pageKinds.notes, session, key: '' })
}

/** Returns the page with this id; undefined when it is gone. */
export function* findPage(id: string): Program<StoredPage | undefined> {
  const uuid = uuidBytes(id)
  const found = uuid === undefined ? undefined : yield* first(idOf, { uuid })
  return found === undefined ? undefined : yield* pageById(found.id)
}

export function pageById(id: number): Program<StoredPage | undefined> {
  return first(byId, { id })
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
export function pagesAt(ids: readonly number[]): Program<readonly StoredPage[]> {
  return all(byIds, { ids: JSON.stringify(ids) })
}

export function* countPages(partition: number, kind: number): Program<number> {
  return (yield* first(countOf, { partition, kind }))?.pages ?? 0
}

/** Returns the ids of all pages of a partition, by their numbers. */
export function pageIdsOf(partition: number): Program<readonly Pick<PageTable, 'id' | 'uuid' | 'kind'>[]> {
  return all(idsOf, { partition })
}

/** Returns the pages of a session: its notes. */
export function pageIdsOfSession(session: number): Program<readonly Pick<PageTable, 'id' | 'uuid' | 'kind'>[]> {
  return all(ofSession, { session })
}

/**
 * Returns the sources of each revision of the pages that rest on a session, the newest first. Without the words: there
 * may be many pages.
 */
export function originsUnder(session: number): Program<readonly RevisionOrigin[]> {
  return all(originsOf, { session })
}

/** Returns the sessions on whose messages a page rests, by their callers' names. */
export function* sessionsUnderPage(page: number): Program<ReadonlyMap<number, string>> {
  return new Map((yield* all(sourcesOfPage, { page })).map(({ id, session }) => [id, session]))
}

/** Stores a new page and returns its number. The caller stores its revision. */
export function* storePage({ id, ...page }: Omit<PageTable, 'id' | 'uuid'> & { readonly id: string }): Program<number> {
  const uuid = uuidBytes(id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${id}`)
  const [, row] = yield* abreast([run(insertPage, { ...page, uuid }), first(idOf, { uuid })])
  if (row === undefined) throw lost('page')
  return row.id
}

export function changePage({
  id,
  max_chars,
  revision,
  description,
  content,
  updated_at,
  indexed,
}: Pick<PageTable, 'id' | 'max_chars' | 'revision' | 'description' | 'content' | 'updated_at' | 'indexed'>): Program<void> {
  return run(updatePage, { id, max_chars, revision, description, content, updated_at, indexed })
}

/** Moves the cursor of notes. */
export function moveNoted({
  id,
  noted_seq,
  noted_tokens,
  noted_calls,
}: Pick<PageTable, 'id' | 'noted_seq' | 'noted_tokens' | 'noted_calls'>): Program<void> {
  return run(setNoted, { id, noted_seq, noted_tokens, noted_calls })
}

/** Returns the pages whose passages must be made anew. */
export function* pagesToIndex(): Program<readonly number[]> {
  return (yield* all(staleIn, {})).map(({ id }) => id)
}

export function pageIndexed(id: number): Program<void> {
  return run(setIndexed, { id })
}

/** Stores a revision, and the sessions on which it rests. */
export function* storePageRevision(revision: PageRevisionTable): Program<void> {
  const sessions = new Set(spansIn(revision).map(([one]) => one))
  yield* runList([
    change(insertRevision, revision),
    ...[...sessions].map((session) => change(addSource, { session, page: revision.page_id })),
  ])
}

export function changePageRevisions(revisions: readonly PageRevisionTable[]): Program<void> {
  return runEach(
    updateRevision,
    revisions.map(({ page_id, revision, description, described_by, content, authors, spans }) => ({
      page_id,
      revision,
      description,
      described_by,
      content,
      authors,
      spans,
    })),
  )
}

/** A revision without its text, but with its size. */
export type RevisionOutline = Omit<PageRevisionTable, 'content'> & { readonly isLetGo: unknown; readonly bytes: number }

/** Returns all revisions of a page without their texts, the newest first. */
export function revisionOutlines(page: number): Program<readonly RevisionOutline[]> {
  return all(outlines, { page })
}

/** Adds the texts to revisions. */
export function* withTexts(page: number, some: readonly RevisionOutline[]): Program<readonly PageRevisionTable[]> {
  if (some.length === 0) return []
  const texts = new Map(
    (yield* all(textsAt, { page, revisions: JSON.stringify(some.map(({ revision }) => revision)) })).map(({ revision, content }) => [
      revision,
      content,
    ]),
  )
  return some.map(({ isLetGo: _, bytes: _bytes, ...outline }) => ({ ...outline, content: texts.get(outline.revision) ?? null }))
}

/** Changes the sources of some revisions. */
export function changeSpans(page: number, revisions: readonly Pick<PageRevisionTable, 'revision' | 'spans'>[]): Program<void> {
  return runEach(
    updateSpans,
    revisions.map(({ revision, spans }) => ({ page, revision, spans })),
  )
}

export function dropPageRevision(page: number, revision: number): Program<void> {
  return run(deleteRevision, { page, revision })
}

/** Returns the revisions of a page before one, the newest first. */
export function pageRevisions(page: number, limit: number, before = Number.MAX_SAFE_INTEGER): Program<readonly PageRevisionTable[]> {
  return all(revisionsOf, { page, before, limit })
}

export function pageRevisionAt(page: number, revision: number): Program<PageRevisionTable | undefined> {
  return first(revisionAt, { page, revision })
}

/** The sources and the line authors of a revision. */
export type LineageRow = Pick<PageRevisionTable, 'revision' | 'authors' | 'spans' | 'described_by'> & { readonly isLetGo: unknown }

/** Returns the sources and the line authors of each revision of a page. */
export function lineagesOf(page: number): Program<readonly LineageRow[]> {
  return all(lineages, { page })
}

/** Returns the same for some revisions, in their order. */
export function lineagesFrom(page: number, after: number, limit: number): Program<readonly LineageRow[]> {
  return all(lineagesAfter, { page, after, limit })
}

/** Drops the text of a revision. Its sources and line authors stay, for the lines that later revisions have of it. */
export function letRevisionGo(page: number, revision: number): Program<void> {
  return run(letGo, { page, revision })
}

/** Replaces the sessions on which a page rests. */
export function replaceSources(page: number, sessions: Iterable<number>): Program<void> {
  return runList([change(dropSources, { page }), ...[...sessions].map((session) => change(addSource, { session, page }))])
}

/** Takes a page out, with its revisions. The caller takes its passages and facts out. */
export function dropPage(id: number): Program<void> {
  return runList([change(dropSources, { page: id }), change(deleteRevisions, { page: id }), change(deletePageRow, { id })])
}
