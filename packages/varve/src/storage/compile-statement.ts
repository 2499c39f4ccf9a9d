import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Schema } from './schema.ts'
import type { CompiledStatement, Statement } from './statement.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

// A driverless kysely: it only builds and compiles (kysely.dev, "Splitting query building and execution").
const sqliteBuilder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/**
 * The text and argument order of a query. Placeholders travel through kysely as values and come back in order. What is
 * published has another module in the place of this one, that gives back what scripts/precompile.ts has compiled.
 */
export function compile<Params extends object, Row>(query: Statement<Params, Row>): CompiledStatement {
  if (query.compiled !== undefined) return query.compiled
  if (query.write === undefined) throw new TypeError('a query that is neither compiled nor written')
  const { sql, parameters } = query.write(sqliteBuilder, (name) => new Placeholder(name) as unknown as Params[typeof name]).compile()
  query.compiled = { sql, order: parameters.map((value) => (value instanceof Placeholder ? value.name : { constant: value })) }
  return query.compiled
}
