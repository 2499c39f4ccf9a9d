import { type ColumnKind, inMovedOrder, type MovedTable, ownBooks } from '../moving.ts'
import { farTable } from './far-table.ts'
import type { MovingConnection } from './moving-connection.ts'

const kinds: Readonly<Record<string, ColumnKind>> = { bigint: 'whole', 'double precision': 'real', text: 'text', bytea: 'bytes' }

/**
 * Parts of a table that is partitioned are left out: their rows are read from the whole, and written to it. A sequence is
 * the column's own, or the one of its default.
 */
const catalogue = `
select c.relname::text as "table", a.attname::text as name, format_type(a.atttypid, null) as type,
  array_position(i.indkey::int2[], a.attnum) as place,
  coalesce(pg_get_serial_sequence(c.oid::regclass::text, a.attname),
    substring(pg_get_expr(f.adbin, f.adrelid) from $q$^nextval\\('(.+)'::regclass\\)$q$)) as counter
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef f on f.adrelid = c.oid and f.adnum = a.attnum
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind in ('r', 'p')
  and not c.relispartition
order by c.relname, a.attnum`

interface Listed {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Its place in the primary key; null for none. */
  readonly place: number | null
  /** The sequence that gives its numbers. */
  readonly counter: string | null
}

/** A table with the sequence of its numbers, quoted as SQL wants it. */
export interface CountedTable extends MovedTable {
  readonly counter: string | undefined
}

/** Reads the tables of a store from PostgreSQL's catalogue. Runs in a transaction of the caller. */
export async function postgresTables({ client }: Pick<MovingConnection, 'client'>): Promise<readonly CountedTable[]> {
  const { rows } = await client.query<Listed>(catalogue)
  const listed = rows.filter(({ table }) => !ownBooks.includes(table) && table !== farTable)
  return [...Map.groupBy(listed, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: inMovedOrder(columns.map((column) => ({ name: column.name, kind: kindOf(column) }))),
    order: columns
      .filter(({ place }) => place !== null)
      .toSorted((a, b) => Number(a.place) - Number(b.place))
      .map((column) => column.name),
    counter: columns.find(({ counter }) => counter !== null)?.counter ?? undefined,
  }))
}

function kindOf({ table, name, type }: Listed): ColumnKind {
  const kind = kinds[type]
  if (kind === undefined) throw new TypeError(`${table}.${name} has a type that no move knows`)
  return kind
}
