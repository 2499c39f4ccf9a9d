import { shownAt, plain } from '../storage/offer.ts'
import { gistRevisions, listGists, pendingMessages, readGist } from './read-gists.ts'

/** The reads of gists. */
export const gistReads = {
  get: shownAt(readGist),
  list: plain(listGists),
  revisions: plain(gistRevisions),
  pending: plain(pendingMessages),
}
