import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { openConnection } from './open-connection.ts'

interface Column {
  readonly table: string
  readonly column: string
}

const reference = readFileSync(new URL('../../../../../docs/reference/where-text-lives.md', import.meta.url), 'utf8')

function listed(): string[] {
  const rows = reference.matchAll(/^\| (\w+) \| (\w+) \| [^|]+ \| [^|]+ \|$/gm)
  return [...rows].map(([, table, column]) => `${table}.${column}`).filter((name) => name !== 'table.column')
}

function inSchema(): string[] {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const columns = connection
    .prepare<[], Column>(`
    SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type IN ('TEXT', 'BLOB')`)
    .all()
  connection.close()
  return columns.map(({ table, column }) => `${table}.${column}`)
}

test('every column that can hold words says how it is erased', () => {
  expect(listed().toSorted()).toEqual(inSchema().toSorted())
})
