import type { MovedColumn } from '../moving.ts'

/** A column that only PostgreSQL has. SQLite's rows tell its values, so that a move knows them. */
export interface PostgresColumn extends MovedColumn {
  readonly told: string
}

/** A row whose owner is gone is nobody's: it goes to partition 0, which no store gives out. */
const partitionOf = (table: string, of: string, by: string): PostgresColumn => ({
  name: 'partition_id',
  kind: 'whole',
  told: `coalesce((SELECT of.partition_id FROM "${of}" AS of WHERE of.id = "${table}"."${by}"), 0)`,
})

/** In SQL of SQLite, by the name of the table. */
export const postgresColumns: Readonly<Record<string, PostgresColumn>> = {
  message_code: partitionOf('message_code', 'message_vector', 'id'),
  block_revision: partitionOf('block_revision', 'block', 'block_id'),
  page_revision: partitionOf('page_revision', 'page', 'page_id'),
  page_source: partitionOf('page_source', 'page', 'page_id'),
  deed_text: partitionOf('deed_text', 'deed', 'deed_id'),
  deed_source: partitionOf('deed_source', 'deed', 'deed_id'),
  import_lines: partitionOf('import_lines', 'import', 'import_id'),
  import_place: partitionOf('import_place', 'import', 'import_id'),
  item: {
    name: 'home_id',
    kind: 'whole',
    told: `CASE WHEN item.session_id > 0 THEN (SELECT session.partition_id FROM session WHERE session.id = item.session_id)
      WHEN item.page_id > 0 THEN (SELECT page.partition_id FROM page WHERE page.id = item.page_id)
      ELSE (SELECT block.partition_id FROM block WHERE block.uuid = item.uuid) END`,
  },
}

/** The column that PostgreSQL's table has beside those of SQLite's. */
export function postgresColumn(table: string): PostgresColumn | undefined {
  return postgresColumns[table]
}

/** True for a column that SQLite's table does not have. */
export function isPostgresColumn(table: string, { name }: MovedColumn): boolean {
  return postgresColumns[table]?.name === name
}
