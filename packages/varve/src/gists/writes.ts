import { timed } from '../storage/offer.ts'
import { writeGist } from './write-gist.ts'

/** What can be changed of gists. */
export const gistWrites = { write: timed(writeGist) }
