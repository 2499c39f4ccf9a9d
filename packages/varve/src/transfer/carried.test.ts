import * as z from 'zod'
import { expect, test } from 'vitest'
import { migrate } from '../storage/sqlite/migrate.ts'
import { openConnection } from '../storage/sqlite/open-connection.ts'
import { carriedColumns } from './carried.ts'
import { exportJsonSchema } from './records.ts'

interface Column {
  readonly table: string
  readonly column: string
}

function inSchema(): string[] {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const columns = connection
    .prepare<[], Column>(`
    SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'`)
    .all()
  connection.close()
  return columns.map(({ table, column }) => `${table}.${column}`)
}

const published = z.object({
  anyOf: z.tuple([
    z.object({ oneOf: z.array(z.object({ properties: z.looseObject({ kind: z.object({ const: z.string() }) }) })) }),
    z.unknown(),
  ]),
})

function recordFieldNames(): ReadonlySet<string> {
  const [{ oneOf }] = published.parse(exportJsonSchema()).anyOf
  return new Set(oneOf.flatMap(({ properties }) => Object.keys(properties).map((field) => `${properties.kind.const}.${field}`)))
}

const listed: readonly (readonly [string, object])[] = Object.entries(carriedColumns)
const [leftOut, carried] = [listed.filter(([, of]) => 'because' in of), listed.filter(([, of]) => !('because' in of))]

test('every column of the store is in an export, or a reason says why an import makes it anew', () => {
  const whole = new Set(leftOut.map(([table]) => table))
  const asked = inSchema().filter((name) => !whole.has(name.split('.')[0] ?? ''))
  const answered = carried.flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`))
  expect(answered.toSorted()).toEqual(asked.toSorted())
})

test('every column that is said to be in an export has a field in the published schema', () => {
  const fields = recordFieldNames()
  const places = carried.flatMap(([, columns]) => Object.values(columns).filter((place): place is string => typeof place === 'string'))
  expect(places.filter((place) => !fields.has(place))).toEqual([])
})
