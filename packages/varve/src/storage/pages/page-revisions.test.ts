import { expect, test } from 'vitest'
import { compile } from '../compile-statement.ts'
import { queries } from '../statement.ts'

await import('./page-revisions.ts')

test("every list of a page's revisions comes in their order: PostgreSQL gives rows without one as they lie", () => {
  const lists = queries
    .map((query) => compile(query, 'postgres').sql)
    .filter((sql) => /^select [^]* from "page_revision" where "page_id" = /.test(sql) && !/"revision" (?:=|in)/.test(sql))
  expect(lists.length).toBeGreaterThan(3)
  expect(lists.filter((sql) => !/ order by "revision"/.test(sql))).toEqual([])
})
