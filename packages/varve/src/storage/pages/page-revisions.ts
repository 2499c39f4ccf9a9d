import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { PageRevisionTable } from '../page-tables.ts'
import { type Program, all, first, run, runEach } from '../program.ts'
import { statement } from '../statement.ts'
import type { PageKey } from './pages.ts'

// The revisions of a page: each with its text, the authors of its lines and its sources.

const updateRevision = statement<
  Pick<PageRevisionTable, 'page_id' | 'revision' | 'description' | 'described_by' | 'content' | 'authors' | 'spans'> & { partition: number }
>()((db, p, d) =>
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
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

const deleteRevision = statement<{ partition: number; page: number; revision: number }>()((db, p, d) =>
  db
    .deleteFrom('page_revision')
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

const revisionsOf = statement<{ partition: number; page: number; before: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .selectAll()
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '<', p('before'))
    .orderBy('revision', 'desc')
    .limit(p('limit')),
)

/**
 * Tells by its size, without reading it, whether a text was dropped. A function, because the published package has no
 * query builder.
 */
const isLetGo = (d: Dialect) => d.flag(sql`octet_length(content) is null`).as('isLetGo')

const outlines = statement<{ partition: number; page: number }>()((db, p, d) =>
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
    .$call(d.withinApart(p('partition')))
    .orderBy('revision', 'desc'),
)

const textsAt = statement<{ partition: number; page: number; revisions: string }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'content'])
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', 'in', d.numbers(p('revisions'))),
)

const updateSpans = statement<{ partition: number; page: number; revision: number; spans: string }>()((db, p, d) =>
  db
    .updateTable('page_revision')
    .set({ spans: p('spans') })
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

const revisionAt = statement<{ partition: number; page: number; revision: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .selectAll()
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

const lineages = statement<{ partition: number; page: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'authors', 'spans', 'described_by', isLetGo(d)])
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .orderBy('revision'),
)

const lineagesAfter = statement<{ partition: number; page: number; after: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'authors', 'spans', 'described_by', isLetGo(d)])
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '>', p('after'))
    .orderBy('revision')
    .limit(p('limit')),
)

const letGo = statement<{ partition: number; page: number; revision: number }>()((db, p, d) =>
  db
    .updateTable('page_revision')
    .set({ content: null, description: '', described_by: 0 })
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

export function changePageRevisions(partition: number, revisions: readonly PageRevisionTable[]): Program<void> {
  return runEach(
    updateRevision,
    revisions.map(({ page_id, revision, description, described_by, content, authors, spans }) => ({
      partition,
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

/** Adds the texts to revisions. */
export function* withTexts(
  { id: page, partition_id: partition }: PageKey,
  some: readonly RevisionOutline[],
): Program<readonly PageRevisionTable[]> {
  if (some.length === 0) return []
  const texts = new Map(
    (yield* all(textsAt, { partition, page, revisions: JSON.stringify(some.map(({ revision }) => revision)) })).map(
      ({ revision, content }) => [revision, content],
    ),
  )
  return some.map(({ isLetGo: _, bytes: _bytes, ...outline }) => ({ ...outline, content: texts.get(outline.revision) ?? null }))
}

/** Changes the sources of some revisions. */
export function changeSpans(
  { id: page, partition_id: partition }: PageKey,
  revisions: readonly Pick<PageRevisionTable, 'revision' | 'spans'>[],
): Program<void> {
  return runEach(
    updateSpans,
    revisions.map(({ revision, spans }) => ({ partition, page, revision, spans })),
  )
}

export function dropPageRevision({ id: page, partition_id: partition }: PageKey, revision: number): Program<void> {
  return run(deleteRevision, { partition, page, revision })
}

/** Returns the revisions of a page before one, the newest first. */
export function pageRevisions(
  { id: page, partition_id: partition }: PageKey,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Program<readonly PageRevisionTable[]> {
  return all(revisionsOf, { partition, page, before, limit })
}

export function pageRevisionAt({ id: page, partition_id: partition }: PageKey, revision: number): Program<PageRevisionTable | undefined> {
  return first(revisionAt, { partition, page, revision })
}

/** The sources and the line authors of a revision. */
export type LineageRow = Pick<PageRevisionTable, 'revision' | 'authors' | 'spans' | 'described_by'> & { readonly isLetGo: unknown }

/** Returns the sources and the line authors of each revision of a page. */
export function lineagesOf({ id: page, partition_id: partition }: PageKey): Program<readonly LineageRow[]> {
  return all(lineages, { partition, page })
}

/** Returns the same for some revisions, in their order. */
export function lineagesFrom({ id: page, partition_id: partition }: PageKey, after: number, limit: number): Program<readonly LineageRow[]> {
  return all(lineagesAfter, { partition, page, after, limit })
}

/** Drops the text of a revision. Its sources and line authors stay, for the lines that later revisions have of it. */
export function letRevisionGo({ id: page, partition_id: partition }: PageKey, revision: number): Program<void> {
  return run(letGo, { partition, page, revision })
}

/** A revision without its text, but with its size. */
export type RevisionOutline = Omit<PageRevisionTable, 'content'> & { readonly isLetGo: unknown; readonly bytes: number }

/** Returns all revisions of a page without their texts, the newest first. */
export function revisionOutlines({ id: page, partition_id: partition }: PageKey): Program<readonly RevisionOutline[]> {
  return all(outlines, { partition, page })
}
