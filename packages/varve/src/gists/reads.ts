import { plain } from '../storage/offer.ts'
import { listGists, pendingMessages, readGist } from './read-gists.ts'

/** What can be asked of gists. */
export const gistReads = { get: plain(readGist), list: plain(listGists), pending: plain(pendingMessages) }
