import { ImportFailed } from '../../errors/import-failed.ts'
import { ForeignDatabase, ForeignUnreadable } from '../../storage/sqlite/foreign-database.ts'

/** The tables of another program's database, for an importer. */
export type ForeignTables = Pick<ForeignDatabase, 'columns' | 'rows'>

/**
 * Gives the tables of another program's SQLite database to a generator, and passes on its items. The file is not
 * touched. Throws ImportFailed when it is damaged, or no database.
 */
export function* withForeignTables<Item>(file: string, read: (tables: ForeignTables) => Generator<Item>): Generator<Item> {
  let tables: ForeignDatabase | undefined
  try {
    tables = new ForeignDatabase(file)
    yield* read(tables)
  } catch (error) {
    if (error instanceof ForeignUnreadable) throw new ImportFailed({ file, reason: `${error.message}.` }, { cause: error })
    throw error
  } finally {
    tables?.close()
  }
}
