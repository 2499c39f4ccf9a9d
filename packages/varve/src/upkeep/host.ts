import type { Clock } from '../clock/clock.ts'
import type { Told } from '../distil/writing-means.ts'
import type { LayerMeans } from './layers.ts'

/** The host's part in writing layers, on any thread: the models, the files of notes, and the receiver of events. */
export interface Host extends LayerMeans {
  readonly clock: Clock
  readonly observer: Told
}
