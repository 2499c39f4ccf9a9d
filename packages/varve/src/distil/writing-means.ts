import type { Clock } from '../clock/clock.ts'
import type { documentWrites } from '../documents/writes.ts'
import type { notesWrites } from '../notes/writes.ts'
import type { Observer } from '../observe/observer.ts'
import type { recallReads } from '../recall/reads.ts'
import type { Called } from '../storage/offer.ts'
import type { DistilStore } from './distil-store.ts'
import type { distilWrites } from './writes.ts'

/** The receiver of counts, events and warnings, on any thread. */
export type Told = Pick<Observer, 'count' | 'emit' | 'notice' | 'warn'>

/** The means of the loops that write layers. They run where the data is. */
export interface WritingMeans extends DistilStore {
  /** The store's time. */
  readonly clock: Clock
  readonly observer: Told
  /** Changes, made where the store is written. */
  readonly write: Called<typeof distilWrites>
  readonly workIn: Called<typeof documentWrites>['workIn']
  readonly setAside: Called<typeof documentWrites>['setAside']
  readonly storeNotes: Called<typeof notesWrites>['store']
  /** Compares documents with a subject and its facts, where the index is. */
  readonly nearDocuments: Called<typeof recallReads>['documents']
}
