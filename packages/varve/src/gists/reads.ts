import { plain } from '../storage/offer.ts'
import { gistRevisions, listGists, pendingMessages, readGist } from './read-gists.ts'

/** The reads of gists. */
export const gistReads = { get: plain(readGist), list: plain(listGists), revisions: plain(gistRevisions), pending: plain(pendingMessages) }
