import { StoreBusy } from '../../packages/varve/src/errors/store-busy.ts'
import { runStep } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { awaiting } from '../../packages/varve/src/testing/awaiting.ts'
import type { Program, StoreInitializer } from '../../packages/varve/src/testing/index.ts'
import { type Connections, isBusy, isOutdated, storesIn, unlocked, unlocking } from './files.ts'

/** The time at which a write takes the store's lock. */
export type Locking =
  /** Writing programs wait for each other; reading ones run between their steps. */
  | 'at its beginning'
  /**
   * Programs run side by side until they write. A program that read rows which another has changed since begins anew,
   * as on a server with snapshots.
   */
  | 'at its first write'

/** More than any check needs: at each attempt at least one of the waiting programs gets on. */
const maxTries = 1_000

/**
 * Makes a store that awaits at every step of a program. Each program has a transaction of its own that sees one state
 * of the store. It stands for a correct engine over a network.
 */
export function awaitingStores(folder: string, locking: Locking): StoreInitializer {
  const begin = locking === 'at its beginning' ? 'BEGIN IMMEDIATE' : 'BEGIN'
  return storesIn(folder, {
    write: (connections, program) => writeAwaiting(connections, program, begin),
    read: (connections, program) => readAwaiting(connections, program),
  })
}

/** Runs a program that only reads, with an await at every step, on one state of the store. */
export async function readAwaiting<Result>(connections: Connections, program: () => Program<Result>): Promise<Result> {
  const connection = connections.take()
  try {
    connection.exec('BEGIN')
    return await awaiting(program(), (step) => runStep(connection, step))
  } finally {
    connections.give(connection)
  }
}

async function writeAwaiting<Result>(connections: Connections, program: () => Program<Result>, begin: string): Promise<Result> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const tried = await tryToWrite(connections, program, begin)
    if ('result' in tried) return tried.result
    await tried.again
  }
  throw new StoreBusy({ store: connections.file })
}

/** Returns the result of a program, or the time of the next attempt. */
async function tryToWrite<Result>(
  connections: Connections,
  program: () => Program<Result>,
  begin: string,
): Promise<{ result: Result } | { again: Promise<void> }> {
  const connection = connections.take()
  let again: Promise<void> | undefined
  const guarded = <Value>(work: () => Value): Value => {
    try {
      return work()
    } catch (error) {
      if (isBusy(error)) again ??= isOutdated(error) ? Promise.resolve() : unlocking()
      throw error
    }
  }
  try {
    guarded(() => connection.exec(begin))
    const result = await awaiting(program(), (step) => guarded(() => runStep(connection, step)))
    if (again !== undefined) return { again }
    guarded(() => connection.exec('COMMIT'))
    return { result }
  } catch (error) {
    if (again !== undefined) return { again }
    throw error
  } finally {
    connections.give(connection)
    // A program that blocked others wakes them; one that must wait itself held nothing.
    if (again === undefined) unlocked()
  }
}
