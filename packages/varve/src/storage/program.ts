import type { Statement } from './statement.ts'

/**
 * What a store does, written once for all engines: a generator that yields queries and gets rows back. The SQLite
 * adapter runs it to its end without an await, so that nothing comes between the statements of a transaction; an
 * adapter over a network awaits at each step. See docs/decisions/0002-programs.md.
 */
export type Program<Result> = Generator<Step, Result, readonly unknown[]>

export interface Step {
  readonly query: Statement<never, unknown>
  readonly params: object
  /** `first` when no more than one row is wanted, `run` when none comes back. */
  readonly mode: 'all' | 'first' | 'run'
}

/** All rows of a query. */
export function* all<Params extends object, Row>(query: Statement<Params, Row>, params: Params): Program<readonly Row[]> {
  return yield* ask(query, params, 'all')
}

/** The first row of a query. */
export function* first<Params extends object, Row>(query: Statement<Params, Row>, params: Params): Program<Row | undefined> {
  const rows = yield* ask(query, params, 'first')
  return rows[0]
}

/** A query without an answer. */
export function* run<Params extends object, Row>(query: Statement<Params, Row>, params: Params): Program<void> {
  yield* ask(query, params, 'run')
}

/** A program that asks nothing, where one that does is expected. */
export function* answer<Result>(result: Result): Program<Result> {
  yield* []
  return result
}

function* ask<Params extends object, Row>(query: Statement<Params, Row>, params: Params, mode: Step['mode']): Program<readonly Row[]> {
  // The row type is what kysely inferred from the query itself.
  return (yield { query, params, mode }) as readonly Row[]
}
