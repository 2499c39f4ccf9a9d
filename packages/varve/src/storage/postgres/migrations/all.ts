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
