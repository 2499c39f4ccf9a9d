import { sql } from 'kysely'
import type { PageRevisionTable, PageTable } from '../page-tables.ts'
import { all, first, type Program, run } from '../program.ts'
import { statement } from '../statement.ts'

/** The state of a page without its words. A short transaction compares it to see that the page did not change. */
export type PageState = Pick<PageTable, 'id' | 'uuid' | 'revision' | 'partition_id' | 'indexed'>

const state = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .selectFrom('page')
    .select(['id', 'uuid', 'revision', 'partition_id', 'indexed'])
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const passages = statement<{ near: string; page: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select(['ord', 'content'])
    .where('page_id', '=', p('page'))
    .$call(d.among(p('near')))
    .where('page_id', '>', sql<number>`0`),
)

const ords = statement<{ near: string; page: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select('ord')
    .where('page_id', '=', p('page'))
    .$call(d.among(p('near')))
    .where('page_id', '>', sql<number>`0`),
)

const setUnindexed = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .updateTable('page')
    .set({ indexed: 0 })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const texts = statement<{ partition: number; page: number; after: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'description', 'content'])
    .where('page_id', '=', p('page'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '>', p('after'))
    .orderBy('revision')
    .limit(p('limit')),
)

export function pageState(partition: number, id: number): Program<PageState | undefined> {
  return first(state, { partition, id })
}

/** Returns the passages of a page that the index holds. */
export function indexedPassages(near: string, page: number): Program<readonly { readonly ord: number; readonly content: string }[]> {
  return all(passages, { near, page })
}

/** Returns the ordinals of those passages. */
export function* passageOrdinals(near: string, page: number): Program<readonly number[]> {
  return (yield* all(ords, { near, page })).map(({ ord }) => ord)
}

/** Marks a page's passages to be made anew. */
export function pageUnindexed(partition: number, id: number): Program<void> {
  return run(setUnindexed, { partition, id })
}

/** Returns the texts of some revisions of a page, in their order. */
export function textsOfRevisions(
  partition: number,
  page: number,
  after: number,
  limit: number,
): Program<readonly Pick<PageRevisionTable, 'revision' | 'description' | 'content'>[]> {
  return all(texts, { partition, page, after, limit })
}
