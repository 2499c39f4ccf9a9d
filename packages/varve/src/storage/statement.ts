import type { CompiledQuery, Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** A query compiled once for an engine: its text, and the names of its arguments in the order of the placeholders. */
export interface CompiledStatement {
  readonly sql: string
  readonly order: readonly (string | { readonly constant: unknown })[]
}

/** A query by what it takes and what a row of its answer looks like. */
export interface Statement<Params extends object, Row> {
  /** Absent in what is published: there every query was compiled when Varve was built, and kysely is not loaded. */
  readonly write?: Write<Params, Row>
  compiled: CompiledStatement | undefined
}

/** A query as it is written in kysely, each argument where it belongs. */
export type Write<Params extends object, Row> = (db: Kysely<Schema>, param: ParamOf<Params>) => { compile(): CompiledQuery<Row> }

type ParamOf<Params extends object> = <Name extends keyof Params & string>(name: Name) => Params[Name]

/** Declares a query: `statement<{ id: number }, { name: string }>()((db, p) => db.selectFrom(…).where('id', '=', p('id')))`. */
export function statement<Params extends object>() {
  return <Row>(write: Write<Params, Row>): Statement<Params, Row> => ({ write, compiled: undefined })
}

/** The arguments of one execution, in the order of the placeholders. */
export function bind(compiled: CompiledStatement, params: object): unknown[] {
  const values = params as Readonly<Record<string, unknown>>
  return compiled.order.map((slot) => (typeof slot === 'string' ? values[slot] : slot.constant))
}
