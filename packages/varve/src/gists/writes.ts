import { changesByHand } from '../storage/journal/told.ts'
import { restoreGist, writeGist } from './write-gist.ts'

/** The writes of gists. */
export const gistWrites = { write: changesByHand('gists', writeGist), restore: changesByHand('gists', restoreGist) }
