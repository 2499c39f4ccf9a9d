import { plain } from '../storage/offer.ts'
import { listGists, pendingMessages, readGist } from './read-gists.ts'

/** The reads of gists. */
export const gistReads = { get: plain(readGist), list: plain(listGists), pending: plain(pendingMessages) }
