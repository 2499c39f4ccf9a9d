import type { MigrateOptions } from '../storage/sqlite/migrate.ts'

/** What a thread is started with. A store in memory has one thread for all, since nobody else sees it. */
export interface ThreadOptions {
  readonly file: string
  readonly roles: readonly ('write' | 'read' | 'distil')[]
  readonly segmentBytes: number
  readonly migrate: MigrateOptions
}
