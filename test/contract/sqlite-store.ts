import { join } from 'node:path'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { Writer } from '../../packages/varve/src/storage/sqlite/writer.ts'
import type { StoreInitializer, StoreUnderTest } from '../../packages/varve/src/testing/index.ts'

/** Makes SQLite stores for the contract suite: files in a folder, or without one databases in memory. */
export function sqliteStores(folder: string | undefined): StoreInitializer {
  return {
    durable: folder !== undefined,
    open: async (place) => openStore(folder === undefined ? ':memory:' : join(folder, `${place}.db`)),
  }
}

function openStore(file: string): StoreUnderTest {
  const connection = openConnection(file)
  migrate(connection, { file, now: 0, identity: { id: 'store', key: 'key' } })
  const writer = new Writer(file, connection, () => openConnection(file))
  return {
    write: (program) => writer.write(program),
    read: async (program) => execute(writer.connection, program()),
    close: async () => writer.close(),
  }
}
