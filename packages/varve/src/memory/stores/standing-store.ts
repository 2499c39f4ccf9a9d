import { existsSync } from 'node:fs'
import { shownPlace } from '../../storage/postgres/address.ts'
import { StandingFile } from '../../storage/sqlite/standing-file.ts'
import { isPostgres } from '../places.ts'

/** Notes the file of a store that is open. The answer tells whether the path has that file still; a server's store stands. */
export function standingStore(place: string): () => boolean {
  if (isPostgres(place)) return () => true
  const standing = new StandingFile(place)
  return () => standing.stands()
}

/** Tells whether a store is there. One on a server is made, if it must be, when it is opened. */
export function isThere(place: string): boolean {
  return isPostgres(place) || existsSync(place)
}

/** Gives a place as it may be shown: an address without its password. */
export function shownStore(place: string): string {
  return isPostgres(place) ? shownPlace(place) : place
}
