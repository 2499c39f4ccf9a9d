import type { WritingMeans } from '../distil/writing-means.ts'
import type { Here } from '../storage/here.ts'
import type { Host } from './host.ts'

/** The place in which the loops that write layers run. */
export interface WorkingHere extends Here {
  readonly host: Host
  readonly means: WritingMeans
  /** Aborted when the caller does not want the work any more. */
  readonly signal: AbortSignal
}
