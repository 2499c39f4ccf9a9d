import type { PoolClient } from 'pg'
import { compile } from '../compile-statement.ts'
import type { Program, SingleStep, Step } from '../program.ts'
import { bind, type CompiledStatement } from '../statement.ts'
import { sqlStateOf } from './classify.ts'
import type { Connected } from './connections.ts'

/** A connection as programs use it. */
export type Client = Pick<PoolClient, 'query'> & Connected

/** A query that is ready to be sent. */
interface Ready {
  readonly compiled: CompiledStatement
  /** The name under which a session of the server keeps it. The set of queries is fixed, so they are bounded. */
  readonly name: string
}

const ready = new Map<SingleStep['query'], Ready>()

/** Sent to a transaction in which a statement failed before: not the failure that counts. */
const abortedBefore = '25P02'

/** Runs a program to its end in a transaction that was begun, or whose beginning is under way: `begun` is awaited with the first step. */
export async function executeOn<Result>(client: Client, program: Program<Result>, begun: Promise<unknown>): Promise<Result> {
  let waits: Promise<unknown> | undefined = begun
  let next = program.next([])
  try {
    while (next.done !== true) {
      let rows: readonly unknown[]
      try {
        const answered = answer(client, next.value)
        // Sent together, so that a transaction of one step takes no round trip for its beginning.
        if (waits !== undefined) await inOrder([waits, answered])
        waits = undefined
        rows = await answered
      } catch (error) {
        next = program.throw(error)
        continue
      }
      next = program.next(rows)
    }
    await waits
    return next.value
  } catch (error) {
    if (waits !== undefined) await Promise.allSettled([waits])
    throw error
  }
}

async function answer(client: Client, step: Step): Promise<readonly unknown[]> {
  return 'list' in step ? inOrder(step.list.map((one) => rowsOf(client, one))) : rowsOf(client, step)
}

/** Waits for all, and throws the first failure in their order: the later ones are consequences of it. */
async function inOrder<Value>(all: readonly Promise<Value>[]): Promise<Value[]> {
  const outcomes = await Promise.allSettled(all)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  const first = failed.find(({ reason }) => sqlStateOf(reason) !== abortedBefore) ?? failed[0]
  if (first !== undefined) throw first.reason
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

async function rowsOf(client: Client, { query, params, mode }: SingleStep): Promise<readonly unknown[]> {
  const { compiled, name } = ready.get(query) ?? prepare(query)
  const text = compiled.sql
  const values = bind(compiled, params)
  const { rows } = await client.query(client.isPooled ? { text, values } : { name, text, values })
  if (mode === 'all') return rows
  return mode === 'first' ? [rows[0]] : []
}

function prepare(query: SingleStep['query']): Ready {
  const made = { compiled: compile(query, 'postgres'), name: `varve${ready.size}` }
  ready.set(query, made)
  return made
}
