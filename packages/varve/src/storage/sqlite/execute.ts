import { compile } from '../compile-statement.ts'
import type { Program, SingleStep, Step } from '../program.ts'
import { bind, type CompiledStatement } from '../statement.ts'
import type { Connection, PreparedStatement } from './connection.ts'

/** A query that is ready to run on a connection. */
interface Ready {
  readonly prepared: PreparedStatement
  readonly compiled: CompiledStatement
}

type ReadyQueries = Map<SingleStep['query'], Ready>

/** Statements are prepared once a connection. The set of queries is fixed, so this map is bounded. */
const readyByConnection = new WeakMap<Connection, ReadyQueries>()

/** Runs a program to its end on a connection, without an await in between. */
export function execute<Result>(connection: Connection, program: Program<Result>): Result {
  const ready = readyOn(connection)
  let next = program.next([])
  while (next.done !== true) {
    const step = next.value
    let rows: readonly unknown[]
    try {
      rows = answer(connection, ready, step)
    } catch (error) {
      next = program.throw(error)
      continue
    }
    next = program.next(rows)
  }
  return next.value
}

/**
 * Runs a program that only reads, on one state of the store. Without a transaction it would see commits between its
 * statements, and take its locks each time.
 */
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
  return answer(connection, readyOn(connection), step)
}

function answer(connection: Connection, ready: ReadyQueries, step: Step): readonly unknown[] {
  return 'list' in step ? step.list.map((one) => rowsOf(connection, ready, one)) : rowsOf(connection, ready, step)
}

function rowsOf(connection: Connection, ready: ReadyQueries, { query, params, mode }: SingleStep): readonly unknown[] {
  const { prepared, compiled } = ready.get(query) ?? prepare(connection, ready, query)
  const values = bind(compiled, params)
  if (mode === 'all') return prepared.all(...values)
  if (mode === 'first') return [prepared.get(...values)]
  if (mode === 'holds') throw new TypeError('a store that is near was asked to check a condition')
  prepared.run(...values)
  return []
}

function readyOn(connection: Connection): ReadyQueries {
  const known = readyByConnection.get(connection)
  if (known !== undefined) return known
  const made: ReadyQueries = new Map()
  readyByConnection.set(connection, made)
  return made
}

function prepare(connection: Connection, ready: ReadyQueries, query: SingleStep['query']): Ready {
  const compiled = compile(query)
  const made = { prepared: connection.prepare(compiled.sql), compiled }
  ready.set(query, made)
  return made
}
