import { MemoryClosed } from '../../packages/varve/src/errors/memory-closed.ts'
import { compile } from '../../packages/varve/src/storage/compile-statement.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { execute, runStep } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { awaiting } from '../../packages/varve/src/testing/awaiting.ts'
import type { Program, Step, StoreInitializer } from '../../packages/varve/src/testing/index.ts'
import { readAwaiting } from './awaiting-store.ts'
import { type Connections, isBusy, storesIn, unlocked, unlocking } from './files.ts'
import { sqliteStores } from './sqlite-store.ts'

/**
 * READ COMMITTED, the usual level of PostgreSQL: each statement sees the commits before it. A writer waits for the
 * row's earlier writer, and then writes by its own old reading.
 *
 * Here a writer waits for all others, which hides some of it and adds nothing.
 */
export function readCommittedStores(folder: string): StoreInitializer {
  return storesIn(folder, { write: writeReadCommitted, read: readAwaiting })
}

async function writeReadCommitted<Result>(connections: Connections, program: () => Program<Result>): Promise<Result> {
  const connection = connections.take()
  try {
    const result = await awaiting(program(), (step) =>
      connection.inTransaction || !writes(step) ? runStep(connection, step) : firstWrite(connection, step),
    )
    if (connection.inTransaction) connection.exec('COMMIT')
    return result
  } finally {
    connections.give(connection)
    unlocked()
  }
}

/** A write that changes no row, such as the insert of an existing one, blocks nobody. */
async function firstWrite(connection: Connection, step: Step): Promise<readonly unknown[]> {
  await lock(connection)
  const rows = runStep(connection, step)
  if (connection.prepare('SELECT changes()').pluck().get() === 0) {
    connection.exec('COMMIT')
    unlocked()
  }
  return rows
}

async function lock(connection: Connection): Promise<void> {
  for (;;) {
    try {
      connection.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      await unlocking()
    }
  }
}

function writes(step: Step): boolean {
  const steps = 'list' in step ? step.list : [step]
  return steps.some(({ query }) => !/^\s*(select|with)\b/i.test(compile(query).sql))
}

/** Keeps a program's writes to itself, and at its end writes them over the rows of that time. */
export function overwritingStores(folder: string): StoreInitializer {
  return storesIn(folder, { write: writeOver, read: readAwaiting })
}

async function writeOver<Result>(connections: Connections, program: () => Program<Result>): Promise<Result> {
  const own: Step[] = []
  const connection = connections.take()
  const replay = (): void => {
    connection.exec('BEGIN IMMEDIATE')
    for (const step of own) runStep(connection, step)
  }
  try {
    const result = await awaiting(program(), (step) => {
      replay()
      const rows = runStep(connection, step)
      connection.exec('ROLLBACK')
      if (writes(step)) own.push(step)
      return rows
    })
    replay()
    connection.exec('COMMIT')
    return result
  } finally {
    connections.give(connection)
    unlocked()
  }
}

/** Acknowledges each seventh write, and undoes it. */
export function losingStores(folder: string): StoreInitializer {
  let count = 0
  return storesIn(folder, {
    read: readAwaiting,
    write: async (connections, program) => {
      const connection = connections.take()
      try {
        connection.exec('BEGIN IMMEDIATE')
        const result = execute(connection, program())
        count += 1
        if (count % 7 !== 0) connection.exec('COMMIT')
        return result
      } finally {
        connections.give(connection)
        unlocked()
      }
    },
  })
}

/** Closes at once; accepted calls that have not begun are never answered. */
export function droppingStores(folder: string): StoreInitializer {
  const honest = sqliteStores(folder)
  return {
    durable: true,
    open: async (place) => {
      const store = await honest.open(place)
      let isClosed = false
      const later = async <Result>(call: () => Promise<Result>): Promise<Result> => {
        if (isClosed) throw new MemoryClosed()
        await new Promise<void>((resolve) => setImmediate(resolve))
        return isClosed ? new Promise<never>(() => undefined) : call()
      }
      return {
        write: (program) => later(() => store.write(program)),
        read: (program) => later(() => store.read(program)),
        close: async () => {
          isClosed = true
          await store.close()
        },
      }
    },
  }
}

/** Goes on as if it had not been closed. */
export function undyingStores(folder: string): StoreInitializer {
  const honest = sqliteStores(folder)
  return { durable: true, open: async (place) => ({ ...(await honest.open(place)), close: async () => undefined }) }
}

/** Acknowledges at once and writes later: a close in between loses the write. */
export function hastyStores(folder: string): StoreInitializer {
  const honest = sqliteStores(folder)
  return {
    durable: true,
    open: async (place) => {
      const [store, own] = [await honest.open(place), await sqliteStores(undefined).open(place)]
      let isClosed = false
      const refusing = <Result>(call: () => Promise<Result>): Promise<Result> => (isClosed ? Promise.reject(new MemoryClosed()) : call())
      return {
        write: (program) =>
          refusing(() => {
            setImmediate(() => void (isClosed ? undefined : Promise.allSettled([store.write(program)])))
            return own.write(program)
          }),
        read: (program) => refusing(() => own.read(program)),
        close: async () => {
          isClosed = true
          await Promise.all([own.close(), store.close()])
        },
      }
    },
  }
}
