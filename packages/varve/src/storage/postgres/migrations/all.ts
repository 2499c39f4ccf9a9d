import { base } from './0012-base.ts'

export interface PostgresMigration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/**
 * Forward only: a migration that has landed is never edited (its checksum is stored and compared). Versions are those of
 * SQLite's schema: the same number has the same columns.
 */
export const postgresMigrations: readonly PostgresMigration[] = [{ version: 12, name: 'base', sql: base }]

/** The newest schema that this Varve knows. */
export const postgresSchemaVersion = Math.max(...postgresMigrations.map(({ version }) => version))

/** The tables of a store, by the statements that make them. */
export const tablesOfStore: readonly string[] = postgresMigrations.flatMap(({ sql }) =>
  [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].flatMap(([, name]) => (name === undefined ? [] : [name])),
)
