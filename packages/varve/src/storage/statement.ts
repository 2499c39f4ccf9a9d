import type { CompiledQuery, Kysely } from 'kysely'
import type { Dialect, DialectName } from './dialect.ts'
import type { Schema } from './schema.ts'

/** A query compiled once for an engine: its text, and the names of its arguments in the order of the placeholders. */
export interface CompiledStatement {
  readonly sql: string
  readonly order: readonly (string | { readonly constant: unknown })[]
}

/** A query by what it takes and what a row of its answer looks like. */
export interface Statement<Params extends object, Row> {
  /**
   * Absent in what is published: there every query was compiled when Varve was built, and kysely is not loaded. As a
   * method, so that a query is one of any.
   */
  write?(...given: Parameters<Write<Params, Row>>): ReturnType<Write<Params, Row>>
  /** For each engine that it was asked for. */
  readonly compiled: Partial<Record<DialectName, CompiledStatement>>
}

/** A query as it is written in kysely, each argument where it belongs. What engines write differently is the dialect's. */
export type Write<Params extends object, Row> = (
  db: Kysely<Schema>,
  param: ParamOf<Params>,
  dialect: Dialect,
) => { compile(): CompiledQuery<Row> }

type ParamOf<Params extends object> = <Name extends keyof Params & string>(name: Name) => Params[Name]

/** Every query that was declared: what looks at all of them walks through this. Empty in what is published. */
export const queries: Statement<never, unknown>[] = []

/** Declares a query: `statement<{ id: number }, { name: string }>()((db, p) => db.selectFrom(…).where('id', '=', p('id')))`. */
export function statement<Params extends object>() {
  return <Row>(write: Write<Params, Row>): Statement<Params, Row> => {
    const declared: Statement<Params, Row> = { write, compiled: {} }
    queries.push(declared)
    return declared
  }
}

/** The arguments of one execution, in the order of the placeholders. */
export function bind({ order }: CompiledStatement, params: object): unknown[] {
  const given = params as Readonly<Record<string, unknown>>
  const values: unknown[] = []
  // A loop and no map: every query comes by here.
  for (const slot of order) values.push(typeof slot === 'string' ? given[slot] : slot.constant)
  return values
}
