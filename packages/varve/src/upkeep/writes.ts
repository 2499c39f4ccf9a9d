import { noteRun } from '../storage/log/runs.ts'
import { timed } from '../storage/offer.ts'

/** The writes of upkeep about itself. */
export const upkeepWrites = { noteRun: timed(noteRun) }
