import { join } from 'node:path'
import { MemoryClosed } from '../../packages/varve/src/errors/memory-closed.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import type { Program, StoreInitializer, StoreUnderTest } from '../../packages/varve/src/testing/index.ts'

/** Runs a store's programs on connections of its own: each transaction has one. */
export interface Runner {
  write<Result>(connections: Connections, program: () => Program<Result>): Promise<Result>
  read<Result>(connections: Connections, program: () => Program<Result>): Promise<Result>
}

/** Makes SQLite stores in files of a folder, run by a runner. A close waits for accepted calls. */
export function storesIn(folder: string, runner: Runner): StoreInitializer {
  return { durable: true, open: async (place) => openStore(join(folder, `${place}.db`), runner) }
}

function openStore(file: string, runner: Runner): StoreUnderTest {
  const connections = new Connections(file)
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  const accept = <Result>(begin: () => Promise<Result>): Promise<Result> => {
    if (isClosed) return Promise.reject(new MemoryClosed())
    const call = begin()
    underWay.add(call)
    return call.finally(() => underWay.delete(call))
  }
  return {
    write: (program) => accept(() => runner.write(connections, program)),
    read: (program) => accept(() => runner.read(connections, program)),
    close: async () => {
      isClosed = true
      await Promise.allSettled(underWay)
      connections.close()
    },
  }
}

/** The connections to a file. None waits for a lock: all their programs run in this one thread. */
export class Connections {
  readonly file: string
  readonly #idle: Connection[] = []

  constructor(file: string) {
    this.file = file
    const first = impatient(openConnection(file))
    migrate(first, { file, now: 0, identity: { id: 'store', key: 'key' } })
    this.give(first)
  }

  take(): Connection {
    return this.#idle.pop() ?? impatient(openConnection(this.file))
  }

  /** Takes a connection back, and rolls its open transaction back. */
  give(connection: Connection): void {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    this.#idle.push(connection)
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
  }
}

function impatient(connection: Connection): Connection {
  connection.pragma('busy_timeout = 0')
  // These tests are about isolation between transactions, not about a power cut.
  connection.pragma('synchronous = OFF')
  return connection
}

/** Programs that wait for a lock of any file: each looks again when any lock is released. */
const waiting = new Set<() => void>()

/** Must be called when a transaction has ended. */
export function unlocked(): void {
  for (const resume of waiting) resume()
  waiting.clear()
}

/** Resolves when a transaction has ended. */
export function unlocking(): Promise<void> {
  return new Promise((resolve) => waiting.add(resolve))
}

/** Tells whether a statement failed because another transaction holds the lock, or has changed rows that this one read. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/** Tells whether waiting is useless because the rows that were read are old. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY_SNAPSHOT'
}
