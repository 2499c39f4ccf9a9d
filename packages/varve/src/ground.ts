import type { DueScope } from './distil/due.ts'
import type { Noted } from './distil/notes-updater.ts'
import type { DueNotes } from './notes/read-notes.ts'
import type { NotesMirror } from './notes-mirror.ts'
import type { DocumentTurn } from './upkeep/documents.ts'
import type { Clock } from './clock/clock.ts'
import type { Observer } from './observe/observer.ts'
import type { Questions } from './questions.ts'
import type { Scope } from './scope/scope.ts'
import type { DueSession } from './storage/derived/reading.ts'
import type { Receipt } from './storage/erase/receipts.ts'
import type { Engine } from './engine/engine.ts'

/** What every handle of a memory stands on. */
export interface Ground {
  readonly engine: Engine
  readonly clock: Clock
  readonly observer: Observer
  readonly questions: Questions
  /** Bits of the layers that are on where a project says nothing. */
  readonly layers: number
  /** Reads a session now, told anew at each try what is wanted of it; Cancelled when the signal comes first. */
  distil(due: () => Promise<DueSession>, signal: AbortSignal | undefined, once?: number): Promise<void>
  /** Works into documents what was read in a partition, now. */
  documents(only: DueScope, signal: AbortSignal | undefined): Promise<DocumentTurn>
  /** Updates the notes of a session now. */
  notes(due: () => Promise<DueNotes>, signal: AbortSignal | undefined): Promise<Noted>
  /** The files in which notes are mirrored, where they are. */
  readonly mirror: NotesMirror | undefined
  /** To be called when messages were stored: there is something to embed. */
  appended(): void
  /** For calls that are accepted now and made later: closing waits for them. */
  accepted<Result>(call: (engine: Engine) => Promise<Result>): Promise<Result>
  /** Resolves when isolation was looked at for this scope; undefined when there is nothing to look at. */
  ready(scope: Scope): Promise<void> | undefined
  /** Tries to get erased words out of the files' bytes at once; gives back the receipt as it then is. */
  finishErasure(receipt: Receipt): Promise<Receipt>
}
