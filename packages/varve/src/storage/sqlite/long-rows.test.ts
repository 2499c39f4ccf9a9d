import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { openConnection } from './open-connection.ts'

/** Columns with texts of at most some KiB in tables without rowids, by table. */
const bounded: Readonly<Record<string, readonly string[]>> = { item: ['content', 'hand'] }

const long: ReadonlySet<string> = new Set(['content', 'body', 'parts', 'metadata', 'authors', 'items', 'shingles', 'hand'])

test('no table without rowids holds texts that may be long: SQLite would read all of a row to compare its key', () => {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const columns = connection
    .prepare<[], { table: string; column: string }>(
      'SELECT l.name AS "table", c.name AS "column" FROM pragma_table_list AS l, pragma_table_info(l.name) AS c WHERE l.wr = 1 ' +
        'ORDER BY l.name, c.cid',
    )
    .all()
  expect(columns.length).toBeGreaterThan(10)
  expect(columns.filter(({ table, column }) => long.has(column) && bounded[table]?.includes(column) !== true)).toEqual([])
  connection.close()
})
