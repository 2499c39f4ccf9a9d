import { sql } from 'kysely'
import type { PageRevisionTable, PageTable } from '../page-tables.ts'
import { all, first, type Program, run } from '../program.ts'
import { statement } from '../statement.ts'

/** The state of a page without its words. A short transaction compares it to see that the page did not change. */
export type PageState = Pick<PageTable, 'id' | 'uuid' | 'revision' | 'partition_id' | 'indexed'>

const state = statement<{ id: number }>()((db, p) =>
  db.selectFrom('page').select(['id', 'uuid', 'revision', 'partition_id', 'indexed']).where('id', '=', p('id')),
)

const passages = statement<{ page: number }>()((db, p) =>
  db
    .selectFrom('item')
    .select(['ord', 'content'])
    .where('page_id', '=', p('page'))
    .where('page_id', '>', sql<number>`0`),
)

const ords = statement<{ page: number }>()((db, p) =>
  db
    .selectFrom('item')
    .select('ord')
    .where('page_id', '=', p('page'))
    .where('page_id', '>', sql<number>`0`),
)

const setUnindexed = statement<{ id: number }>()((db, p) => db.updateTable('page').set({ indexed: 0 }).where('id', '=', p('id')))

const texts = statement<{ page: number; after: number; limit: number }>()((db, p) =>
  db
    .selectFrom('page_revision')
    .select(['revision', 'description', 'content'])
    .where('page_id', '=', p('page'))
    .where('revision', '>', p('after'))
    .orderBy('revision')
    .limit(p('limit')),
)

export function pageState(id: number): Program<PageState | undefined> {
  return first(state, { id })
}

/** Returns the passages of a page that the index holds. */
export function indexedPassages(page: number): Program<readonly { readonly ord: number; readonly content: string }[]> {
  return all(passages, { page })
}

/** Returns the ordinals of those passages. */
export function* passageOrdinals(page: number): Program<readonly number[]> {
  return (yield* all(ords, { page })).map(({ ord }) => ord)
}

/** Marks a page's passages to be made anew. */
export function pageUnindexed(id: number): Program<void> {
  return run(setUnindexed, { id })
}

/** Returns the texts of some revisions of a page, in their order. */
export function textsOfRevisions(
  page: number,
  after: number,
  limit: number,
): Program<readonly Pick<PageRevisionTable, 'revision' | 'description' | 'content'>[]> {
  return all(texts, { page, after, limit })
}
