import { compile } from '../compile-statement.ts'
import type { Program, Step } from '../program.ts'
import { bind } from '../statement.ts'
import type { Connection, PreparedStatement } from './connection.ts'

/** Statements are prepared once a connection; the set of queries is fixed, so this grows no further. */
const preparedByConnection = new WeakMap<Connection, Map<Step['query'], PreparedStatement>>()

/** Runs a program to its end on a connection, without an await in between. */
export function execute<Result>(connection: Connection, program: Program<Result>): Result {
  let next = program.next([])
  while (next.done !== true) {
    const step = next.value
    let rows: readonly unknown[]
    try {
      rows = runStep(connection, step)
    } catch (error) {
      next = program.throw(error)
      continue
    }
    next = program.next(rows)
  }
  return next.value
}

/** Runs a program that only reads, as of one state of the store: statement by statement it would meet the commits between, and take its locks each time. */
export function executeRead<Result>(connection: Connection, program: Program<Result>): Result {
  if (connection.inTransaction) return execute(connection, program)
  connection.exec('BEGIN')
  try {
    return execute(connection, program)
  } finally {
    connection.exec('COMMIT')
  }
}

/** Runs one step on a connection. */
export function runStep(connection: Connection, step: Step): readonly unknown[] {
  const prepared = prepare(connection, step.query)
  const values = bind(compile(step.query), step.params)
  if (step.mode === 'all') return prepared.all(...values)
  if (step.mode === 'first') return [prepared.get(...values)]
  prepared.run(...values)
  return []
}

function prepare(connection: Connection, query: Step['query']): PreparedStatement {
  let known = preparedByConnection.get(connection)
  if (known === undefined) {
    known = new Map()
    preparedByConnection.set(connection, known)
  }
  const existing = known.get(query)
  if (existing !== undefined) return existing
  const prepared = connection.prepare(compile(query).sql)
  known.set(query, prepared)
  return prepared
}
