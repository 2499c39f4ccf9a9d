import {
  type DatabaseIntrospector,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type DialectName, dialects } from './dialect.ts'
import type { Schema } from './schema.ts'
import type { CompiledStatement, Statement } from './statement.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Writes arguments and constants so that SQLite plans a query once. On a table with a partial index, it plans a query with a bare
 * `?` again whenever a value is bound, since another value might allow that index (sqlite.org/c3ref/prepare.html, "automatically
 * recompiled"): 35 µs where the answer takes 2. A `+` before it ends that, and changes no value (sqlite.org/lang_expr.html, "a
 * no-op"). Constants stand in the text, where the planner sees them.
 */
class PlannedOnce extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === 'string' || Number.isSafeInteger(value)) return this.appendImmediateValue(value)
    if (value instanceof Placeholder) this.append('+')
    super.appendValue(value)
  }
}

type Introspect = (db: Kysely<unknown>) => DatabaseIntrospector

/** Makes a kysely without a driver, which only builds and compiles (kysely.dev, "Splitting query building and execution"). */
function builder(
  createAdapter: () => DialectAdapter,
  createIntrospector: Introspect,
  createQueryCompiler: () => QueryCompiler,
): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: { createAdapter, createDriver: () => new DummyDriver(), createIntrospector, createQueryCompiler } })
}

const builders: Readonly<Record<DialectName, Kysely<Schema>>> = {
  sqlite: builder(
    () => new SqliteAdapter(),
    (db) => new SqliteIntrospector(db),
    () => new PlannedOnce(),
  ),
  postgres: builder(
    () => new PostgresAdapter(),
    (db) => new PostgresIntrospector(db),
    () => new PostgresQueryCompiler(),
  ),
}

/** A list as the dialect writes it, looked for in one column: of numbers, texts or ids. */
const listed = new RegExp(
  `(?<!\\)) (not )?in \\((select (?:value(?:::bigint)?|decode\\(replace\\(value, '-', ''\\), 'hex'\\))` +
    ` from json_array_elements_text\\(\\$\\d+::json\\))\\)`,
  'g',
)

/**
 * Looks for a list as an array. PostgreSQL's planner joins rows with a select in a condition, and reads a whole partition for
 * it until the table was analyzed: a recall after an import of 100,000 messages took 20 ms, later 3. It looks for each part of
 * an array in the index, whatever it knows of the table.
 */
function withArrays(sql: string): string {
  return sql.replaceAll(listed, (_, not: string | undefined, list: string) => ` ${not === undefined ? '= any' : '<> all'}(array(${list}))`)
}

/**
 * Compiles a query for an engine: its text and the order of its arguments. Placeholders travel through kysely as values
 * and come back in order.
 *
 * The published package has another module in this place. That one returns the queries that scripts/precompile.ts
 * compiled.
 */
export function compile<Params extends object, Row>(query: Statement<Params, Row>, dialect: DialectName = 'sqlite'): CompiledStatement {
  const known = query.compiled[dialect]
  if (known !== undefined) return known
  if (query.write === undefined) throw new TypeError('a query that is neither compiled nor written')
  const { sql, parameters } = query
    .write(builders[dialect], (name) => new Placeholder(name) as unknown as Params[typeof name], dialects[dialect])
    .compile()
  const compiled = {
    sql: dialect === 'postgres' ? withArrays(sql) : sql,
    order: parameters.map((value) => (value instanceof Placeholder ? value.name : { constant: value })),
  }
  query.compiled[dialect] = compiled
  return compiled
}
