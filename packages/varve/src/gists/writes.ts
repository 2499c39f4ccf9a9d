import { timed } from '../storage/offer.ts'
import { writeGist } from './write-gist.ts'

/** The writes of gists. */
export const gistWrites = { write: timed(writeGist) }
