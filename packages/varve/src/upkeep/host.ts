import type { Clock } from '../clock/clock.ts'
import type { Told } from '../distil/layer-ground.ts'
import type { LayerMeans } from './layers.ts'

/** What the loops that write layers ask of the host, wherever they run: the models, the files of notes, and who is told. */
export interface Host extends LayerMeans {
  readonly clock: Clock
  readonly observer: Told
}
