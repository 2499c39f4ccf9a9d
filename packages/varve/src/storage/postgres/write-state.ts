import { SchemaTooNew } from '../../errors/schema-too-new.ts'
import { postgresSchemaVersion } from './migrations/all.ts'
import { numberColumns } from './outcome.ts'

/**
 * The statement at the beginning of a write, in the round trip of its first step. It tells the version of the schema, since a
 * newer Varve may have migrated the store while this process had it open: this one would write rows that lack columns.
 */
export function beginningOf(tellsOutcomes: boolean): string {
  return `select ${tellsOutcomes ? `${numberColumns}, ` : ''}(select max(version) from schema_migration) as version`
}

/** Throws SchemaTooNew when the schema is a newer Varve's. */
export function refuseLaterSchema(opened: readonly (readonly unknown[])[], store: string): void {
  const row = opened.at(-1)?.[0]
  const found = typeof row === 'object' && row !== null && 'version' in row ? Number(row.version) : 0
  if (found > postgresSchemaVersion) throw new SchemaTooNew({ store, found, supported: postgresSchemaVersion })
}
