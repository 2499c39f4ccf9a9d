import { type ColumnKind, inMovedOrder, type MovedTable, mostBatchBytes, mostBatchRows, ownBooks, type RowBatch } from '../moving.ts'
import { packRow, type PackedValue } from '../packed-row.ts'
import type { Connection } from './connection.ts'
import { postgresColumn } from './postgres-columns.ts'

const kinds: Readonly<Record<string, ColumnKind>> = { INTEGER: 'whole', REAL: 'real', TEXT: 'text', BLOB: 'bytes' }

const catalogue = `
SELECT t.name AS "table", t.wr, c.name, c.type, c.pk FROM pragma_table_list t JOIN pragma_table_info(t.name) c
WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT GLOB 'sqlite_*' ORDER BY t.name, c.cid`

interface Listed {
  readonly table: string
  /** 1 for a table WITHOUT ROWID. */
  readonly wr: number
  readonly name: string
  readonly type: string
  /** Its place in the primary key, from 1; 0 for none. */
  readonly pk: number
}

/** Reads the tables of a store from SQLite's catalogue. */
export function sqliteTables(connection: Connection): readonly MovedTable[] {
  const listed = connection
    .prepare<[], Listed>(catalogue)
    .all()
    .filter(({ table }) => !ownBooks.includes(table))
  return [...Map.groupBy(listed, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: inMovedOrder([
      ...columns.map((column) => ({ name: column.name, kind: kindOf(column) })),
      ...[postgresColumn(name)].filter((column) => column !== undefined),
    ]),
    order: orderOf(columns),
  }))
}

/**
 * The order in which a table's rows lie. Any other one would be sorted in memory, all rows at once. VACUUM may give other
 * row ids, in the same order.
 */
function orderOf(columns: readonly Listed[]): readonly string[] {
  if (columns.some(({ wr }) => wr === 0)) return ['rowid']
  const key = columns.filter(({ pk }) => pk > 0)
  return key.toSorted((a, b) => a.pk - b.pk).map(({ name }) => name)
}

function kindOf({ table, name, type }: Listed): ColumnKind {
  const kind = kinds[type]
  if (kind === undefined) throw new TypeError(`${table}.${name} has a type that no move knows`)
  return kind
}

/** Counts the rows of a table. */
export function rowsIn(connection: Connection, { name }: MovedTable): number {
  return Number(connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())
}

/** Reads rows in the table's order. A text is read as its bytes, which so stay as they are. */
export function* rowBatches(connection: Connection, { name, columns, order }: MovedTable, from: number): Generator<RowBatch> {
  const told = postgresColumn(name)
  const read = columns.map((column) => {
    if (column.name === told?.name) return told.told
    return column.kind === 'text' ? `CAST("${column.name}" AS BLOB)` : `"${column.name}"`
  })
  const ordered = order.map((column) => `"${column}"`).join(', ')
  const all = connection.prepare<[number], PackedValue[]>(`SELECT ${read.join(', ')} FROM "${name}" ORDER BY ${ordered} LIMIT -1 OFFSET ?`)
  const columnKinds = columns.map(({ kind }) => kind)
  let batch: Buffer[] = []
  let bytes = 0
  for (const values of all.raw().iterate(from)) {
    const row = packRow(values, columnKinds)
    batch.push(row)
    bytes += row.length
    if (bytes < mostBatchBytes && batch.length < mostBatchRows) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
