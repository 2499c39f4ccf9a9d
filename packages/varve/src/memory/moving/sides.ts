import type { MovingSource, MovingTarget } from '../../storage/moving.ts'
import { isPostgres } from '../places.ts'

interface Taking {
  readonly now: number
  /** The identity of a new store, until it gets that of the source. */
  readonly identity: { readonly id: string; readonly key: string }
}

/** Holds the store that is moved. */
export async function holdSource(place: string, taking: Taking): Promise<MovingSource> {
  return isPostgres(place)
    ? (await import('../../storage/postgres/move-source.ts')).holdPostgres(place, taking)
    : (await import('../../storage/sqlite/move-source.ts')).holdSqlite(place, taking)
}

/** Takes the place of the new store. */
export async function takeTarget(place: string, taking: Taking): Promise<MovingTarget> {
  return isPostgres(place)
    ? (await import('../../storage/postgres/move-target.ts')).takePostgresTarget(place, taking)
    : (await import('../../storage/sqlite/move-target.ts')).takeSqliteTarget(place, taking)
}
