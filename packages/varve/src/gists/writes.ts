import { timed } from '../storage/offer.ts'
import { restoreGist, writeGist } from './write-gist.ts'

/** The writes of gists. */
export const gistWrites = { write: timed(writeGist), restore: timed(restoreGist) }
