import type { SessionName } from '../scope/partition.ts'
import { changesByHand } from '../storage/journal/told.ts'
import { onVersion } from '../storage/versions.ts'
import { gistVersion } from './read-gists.ts'
import { restoreGist, writeGist } from './write-gist.ts'

/** A gist to change, and the version that the change was made on; undefined for any. */
interface EditedGist {
  readonly session: SessionName
  readonly expected: string | undefined
}

/** The writes of gists. */
export const gistWrites = {
  write: changesByHand('gists', (partition, { session, expected }: EditedGist, lines: readonly string[], now: number) =>
    onVersion(called(session, expected), gistVersion(partition, session), writeGist(partition, session, lines, now)),
  ),
  restore: changesByHand('gists', (partition, { session, expected }: EditedGist, revision: number, now: number) =>
    onVersion(called(session, expected), gistVersion(partition, session), restoreGist(partition, session, revision, now)),
  ),
}

function called(session: string, expected: string | undefined) {
  return { page: `gist of ${session}`, expected }
}
