import {
  type CompiledQuery, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler,
} from 'kysely'
import type { Schema } from './schema.ts'

/** A query compiled once for an engine: its text, and the names of its arguments in the order of the placeholders. */
export interface CompiledStatement {
  readonly sql: string
  readonly order: readonly (string | { readonly constant: unknown })[]
}

/** A query by what it takes and what a row of its answer looks like. Written in kysely, compiled on first use. */
export interface Statement<Params extends object, Row> {
  readonly build: (db: Kysely<Schema>, param: ParamOf<Params>) => { compile(): CompiledQuery<Row> }
  compiled: CompiledStatement | undefined
}

type ParamOf<Params extends object> = <Name extends keyof Params & string>(name: Name) => Params[Name]

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

/** Declares a query: `statement<{ id: number }, { name: string }>()((db, p) => db.selectFrom(…).where('id', '=', p('id')))`. */
export function statement<Params extends object>() {
  return <Row>(build: (db: Kysely<Schema>, param: ParamOf<Params>) => { compile(): CompiledQuery<Row> }): Statement<Params, Row> => ({
    build,
    compiled: undefined,
  })
}

/** The text and argument order of a statement. Placeholders travel through kysely as values and come back in order. */
export function compile<Params extends object, Row>(query: Statement<Params, Row>): CompiledStatement {
  if (query.compiled !== undefined) return query.compiled
  const param: ParamOf<Params> = (name) => new Placeholder(name) as unknown as Params[typeof name]
  const { sql, parameters } = query.build(sqliteBuilder, param).compile()
  const order = parameters.map((value) => (value instanceof Placeholder ? value.name : { constant: value }))
  query.compiled = { sql, order }
  return query.compiled
}

/** The arguments of one execution, in the order of the placeholders. */
export function bind(compiled: CompiledStatement, params: object): unknown[] {
  const values = params as Readonly<Record<string, unknown>>
  return compiled.order.map((slot) => (typeof slot === 'string' ? values[slot] : slot.constant))
}
