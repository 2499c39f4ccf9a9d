import { migrate, refuseNewer } from '../storage/sqlite/migrate.ts'
import { openConnection } from '../storage/sqlite/open-connection.ts'
import { storeKey } from '../storage/sqlite/store-key.ts'
import { Writer } from '../storage/sqlite/writer.ts'
import type { ThreadOptions } from './options.ts'
import { WriteService } from './write-service.ts'

/** Opens a store for writing: looked at, made or migrated, and locked for nobody. */
export function startWriter(options: ThreadOptions): { writer: Writer; service: WriteService } {
  refuseNewer(options.file)
  const connection = openConnection(options.file)
  try {
    migrate(connection, options.migrate)
    const writer = new Writer(options.file, connection, () => openConnection(options.file))
    return { writer, service: new WriteService(writer, options.file, storeKey(connection)) }
  } catch (error) {
    connection.close()
    throw error
  }
}
