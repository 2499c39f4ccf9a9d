import { sql } from 'kysely'
import type { BlockRevisionTable, BlockTable } from '../known-tables.ts'
import type { Sized } from '../listed.ts'
import type { PageFactTable, PageRevisionTable, PageTable } from '../page-tables.ts'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'
import type { KeyRange } from './log-rows.ts'

// Blocks and pages with their revisions, in the order of their keys, for an export.

type Limited = KeyRange & { readonly limit: number }

const blockKeys = statement<Limited>()((db, p) =>
  db
    .selectFrom('block')
    .select(['id as key', sql<number>`octet_length(name)`.as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('id', '>', p('after'))
    .where('id', '<=', p('upTo'))
    .orderBy('id')
    .limit(p('limit')),
)

const blocks = statement<KeyRange>()((db, p, d) =>
  db
    .selectFrom('block')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'block.session_id').$call(d.joined('session', p('partition'))))
    .selectAll('block')
    .select('session.external_id as session')
    .where('block.partition_id', '=', p('partition'))
    .where('block.id', '>', p('after'))
    .where('block.id', '<=', p('upTo'))
    .orderBy('block.id'),
)

const blockRevisionSizes = statement<{ partition: number; id: number; after: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('block_revision')
    .select(['revision as key', sql<number>`octet_length(content)`.as('bytes')])
    .where('block_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '>', p('after'))
    .orderBy('revision')
    .limit(p('limit')),
)

const blockRevisions = statement<{ partition: number; id: number; after: number; upTo: number }>()((db, p, d) =>
  db
    .selectFrom('block_revision')
    .leftJoin('session as origin', (join) =>
      join.onRef('origin.id', '=', 'block_revision.session_id').$call(d.joined('origin', p('partition'))),
    )
    .selectAll('block_revision')
    .select(['origin.external_id as origin', 'origin.partition_id as whose'])
    .where('block_id', '=', p('id'))
    .$call(d.withinApart(p('partition'), 'block_revision'))
    .where('revision', '>', p('after'))
    .where('revision', '<=', p('upTo'))
    .orderBy('revision'),
)

const pageKeys = statement<Limited>()((db, p) =>
  db
    .selectFrom('page')
    .select(['id as key', sql<number>`octet_length(content) + octet_length(description) + octet_length(name)`.as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('id', '>', p('after'))
    .where('id', '<=', p('upTo'))
    .orderBy('id')
    .limit(p('limit')),
)

const pages = statement<KeyRange>()((db, p, d) =>
  db
    .selectFrom('page')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'page.session_id').$call(d.joined('session', p('partition'))))
    .selectAll('page')
    .select('session.external_id as session')
    .where('page.partition_id', '=', p('partition'))
    .where('page.id', '>', p('after'))
    .where('page.id', '<=', p('upTo'))
    .orderBy('page.id'),
)

const pageRevisionSizes = statement<{ partition: number; id: number; after: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision as key', sql<number>`coalesce(octet_length(content), 0) + octet_length(spans) + octet_length(authors)`.as('bytes')])
    .where('page_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '>', p('after'))
    .orderBy('revision')
    .limit(p('limit')),
)

const pageRevisions = statement<{ partition: number; id: number; after: number; upTo: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .selectAll()
    .where('page_id', '=', p('id'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '>', p('after'))
    .where('revision', '<=', p('upTo'))
    .orderBy('revision'),
)

const sessionNames = statement<{ partition: number; ids: string }>()((db, p, d) =>
  db
    .selectFrom('session')
    .select(['id', 'external_id as name'])
    .where('partition_id', '=', p('partition'))
    .where('id', 'in', d.numbers(p('ids'))),
)

const factsOfSessions = statement<{ partition: number; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('page_fact')
    .leftJoin('page', (join) => join.onRef('page.id', '=', 'page_fact.page_id').$call(d.joined('page', p('partition'))))
    .selectAll('page_fact')
    .select('page.uuid as page')
    .where('page_fact.session_id', 'in', d.numbers(p('sessions')))
    .$call(d.within(p('partition'), 'page_fact'))
    .orderBy('page_fact.id'),
)

export type ExportedBlock = BlockTable & { readonly session: string | null }

/** A revision of a block. `origin` is the name of a session of the partition `whose`. */
export type ExportedBlockRevision = BlockRevisionTable & { readonly origin: string | null; readonly whose: number | null }

export type ExportedPage = PageTable & { readonly session: string | null }

export type ExportedPageFact = PageFactTable & { readonly page: Uint8Array | null }

export function keysOfBlocks(range: KeyRange, limit: number): Program<readonly Sized[]> {
  return all(blockKeys, { ...range, limit })
}

export function blocksBetween(range: KeyRange): Program<readonly ExportedBlock[]> {
  return all(blocks, { ...range })
}

export function sizesOfBlockRevisions(partition: number, id: number, after: number, limit: number): Program<readonly Sized[]> {
  return all(blockRevisionSizes, { partition, id, after, limit })
}

export function blockRevisionsIn(partition: number, id: number, after: number, upTo: number): Program<readonly ExportedBlockRevision[]> {
  return all(blockRevisions, { partition, id, after, upTo })
}

export function keysOfPages(range: KeyRange, limit: number): Program<readonly Sized[]> {
  return all(pageKeys, { ...range, limit })
}

export function pagesBetween(range: KeyRange): Program<readonly ExportedPage[]> {
  return all(pages, { ...range })
}

export function sizesOfPageRevisions(partition: number, id: number, after: number, limit: number): Program<readonly Sized[]> {
  return all(pageRevisionSizes, { partition, id, after, limit })
}

export function pageRevisionsIn(partition: number, id: number, after: number, upTo: number): Program<readonly PageRevisionTable[]> {
  return all(pageRevisions, { partition, id, after, upTo })
}

/** Returns the names of those sessions that are the partition's own. */
export function* namesOfSessions(partition: number, ids: Iterable<number>): Program<ReadonlyMap<number, string>> {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return new Map()
  return new Map((yield* all(sessionNames, { partition, ids: JSON.stringify(asked) })).map(({ id, name }) => [id, name]))
}

/** Returns the statements for documents that were read from some sessions, the first stored first. */
export function pageFactsIn(partition: number, sessions: readonly number[]): Program<readonly ExportedPageFact[]> {
  return all(factsOfSessions, { partition, sessions: JSON.stringify(sessions) })
}
