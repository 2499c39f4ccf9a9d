import type { CompiledQuery, Kysely } from 'kysely'
import type { Dialect, DialectName } from './dialect.ts'
import type { Schema } from './schema.ts'

/** A query compiled for an engine: its text, and the names of its arguments in the order of the placeholders. */
export interface CompiledStatement {
  readonly sql: string
  readonly order: readonly (string | { readonly constant: unknown })[]
}

/** A query, typed by its arguments and by a row of its answer. */
export interface Statement<Params extends object, Row> {
  /**
   * Absent in the published package: there every query was compiled when Varve was built, and kysely is not loaded. A
   * method, so that any query is assignable to a general one.
   */
  write?(...given: Parameters<Write<Params, Row>>): ReturnType<Write<Params, Row>>
  /**
   * True for a query that the server must plan with its arguments each time: a plan for any partition cannot use the index of
   * one.
   */
  readonly isPlannedAnew?: true
  /** The compiled query, by engine. */
  readonly compiled: Partial<Record<DialectName, CompiledStatement>>
}

/**
 * A query as it is written in kysely, each argument where it belongs. The dialect supplies the parts that engines write
 * differently.
 */
export type Write<Params extends object, Row> = (
  db: Kysely<Schema>,
  param: ParamOf<Params>,
  dialect: Dialect,
) => { compile(): CompiledQuery<Row> }

type ParamOf<Params extends object> = <Name extends keyof Params & string>(name: Name) => Params[Name]

/** Every declared query, for code that looks at all of them. Empty in the published package. */
export const queries: Statement<never, unknown>[] = []

/** Declares a query: `statement<{ id: number }, { name: string }>()((db, p) => db.selectFrom(…).where('id', '=', p('id')))`. */
export function statement<Params extends object>() {
  return <Row>(write: Write<Params, Row>): Statement<Params, Row> => {
    const declared: Statement<Params, Row> = { write, compiled: {} }
    queries.push(declared)
    return declared
  }
}

/** Returns the arguments of one execution, in the order of the placeholders. */
export function bind({ order }: CompiledStatement, params: object): unknown[] {
  const given = params as Readonly<Record<string, unknown>>
  const values: unknown[] = []
  // A loop instead of a map: every query runs through here.
  for (const slot of order) values.push(typeof slot === 'string' ? given[slot] : slot.constant)
  return values
}
