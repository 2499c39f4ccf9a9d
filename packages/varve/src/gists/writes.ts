import { changesByHand } from '../storage/journal/told.ts'
import type { EditedSession } from '../storage/log/sessions.ts'
import { onVersion } from '../storage/versions.ts'
import { gistVersion } from './read-gists.ts'
import { restoreGist, writeGist } from './write-gist.ts'

/** The writes of gists. */
export const gistWrites = {
  write: changesByHand('gists', (partition, { session, expected }: EditedSession, lines: readonly string[], now: number) =>
    onVersion(called(session, expected), gistVersion(partition, session), writeGist(partition, session, lines, now)),
  ),
  restore: changesByHand('gists', (partition, { session, expected }: EditedSession, revision: number, now: number) =>
    onVersion(called(session, expected), gistVersion(partition, session), restoreGist(partition, session, revision, now)),
  ),
}

function called(session: string, expected: string | undefined) {
  return { page: `gist of ${session}`, expected }
}
