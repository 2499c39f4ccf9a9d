import type { Clock } from '../clock/clock.ts'
import type { documentWrites } from '../documents/writes.ts'
import type { notesWrites } from '../notes/writes.ts'
import type { Observer } from '../observe/observer.ts'
import type { recallReads } from '../recall/reads.ts'
import type { Called } from '../storage/offer.ts'
import type { DistilStore } from './distil-store.ts'
import type { distilWrites } from './writes.ts'

/** Who is told what happened, wherever it happened. */
export type Told = Pick<Observer, 'count' | 'emit' | 'notice' | 'warn'>

/** What the loops that write layers stand on: they run where the data is. */
export interface LayerGround extends DistilStore {
  /** The store's time. */
  readonly clock: Clock
  readonly observer: Told
  /** Changes, made where the store is written. */
  readonly write: Called<typeof distilWrites>
  readonly workIn: Called<typeof documentWrites>['workIn']
  readonly storeNotes: Called<typeof notesWrites>['store']
  /** How near documents are to what was said of a subject, asked where the index is. */
  readonly nearDocuments: Called<typeof recallReads>['documents']
}
