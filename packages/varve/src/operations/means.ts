import type { Clock } from '../clock/clock.ts'
import type { DueScope } from '../storage/due-place.ts'
import type { Noted } from '../distil/notes-updater.ts'
import type { Engine } from '../engine/engine.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { Observer } from '../observe/observer.ts'
import type { QuestionVectors } from '../recall/question-vectors.ts'
import type { PartitionId, ProjectName, SessionName } from '../scope/partition.ts'
import type { Purpose, SigningKeys } from '../signing/keys.ts'
import type { Check } from '../storage/check.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { DocumentTurn } from '../upkeep/documents.ts'
import type { ReadingCalls, Upkeep } from '../upkeep/upkeep.ts'
import type { KeyChanges } from './key-changes.ts'
import type { Backup, BackupRequest } from './made-backup.ts'
import type { ShownLately } from './shown-lately.ts'

/** Keeps the notes of sessions as files. */
export interface NotesFolder {
  /** Takes in the edits of the file of a session's notes, and writes the file. */
  refresh(partition: PartitionId, session: SessionName): Promise<void>
  pathOf(partition: PartitionId, session: string): string
  /** Erases from the store, then from the files of these partitions. */
  erasing<Result>(partitions: readonly PartitionId[], erase: () => Promise<Result>): Promise<Result>
}

/** The means of every operation of a memory. */
export interface StoreMeans {
  readonly engine: Engine
  readonly clock: Clock
  readonly observer: Observer
  /** Notes of what was shown, until they are in the store. */
  readonly shown: ShownLately
  /** Told when a key of a caller may have ended. */
  readonly keyChanges: KeyChanges
  /** Bits of the layers that are on by default. */
  readonly layers: number
  /** True: the tokens of a context are estimated. */
  readonly estimatesTokens: boolean
  /** Absent without a notes directory. */
  readonly mirror: NotesFolder | undefined
  readonly upkeep: Pick<Upkeep, 'run' | 'runs' | 'status'>
  /** Lists the partitions of all users of a project, named or anonymous. */
  partitionsOf(project: ProjectName): Promise<PartitionId[]>
  /** Checks the store, the engine and the embedding model. */
  diagnose(): Promise<readonly Check[]>
  /** Copies the store into a file. Closing waits for it. */
  backUp(request: BackupRequest, signal: AbortSignal | undefined): Promise<Backup>
  /** Tries to overwrite erased words in the files at once. Gives back the receipt as it then is. */
  finishErasure(receipt: Receipt): Promise<Receipt>
  /** Gives the keys for a purpose: the store's, and the configured Ed25519 key. */
  signingKeys(purpose: Purpose): Promise<SigningKeys>
  /** Adds the signature of the configured Ed25519 key to a receipt that the store signed. */
  countersigned(receipt: Receipt): Promise<Receipt>
}

/** The means of an operation on one partition. */
export interface PartitionMeans extends StoreMeans {
  readonly partition: PartitionId
  /** The handle, as events name it. */
  readonly who: { readonly project: ProjectName; readonly user?: string }
  readonly questions: QuestionVectors
  /** Reads a session now. `due` is asked anew at each try. Rejects with Cancelled when the signal comes first. */
  distil(due: () => Promise<DueSession>, signal: AbortSignal | undefined, once?: number): Promise<void>
  /** Works the facts that wait in a partition into its documents, now. */
  documents(only: DueScope, signal: AbortSignal | undefined): Promise<DocumentTurn>
  /** Updates the notes of a session now. */
  notes(due: () => Promise<DueNotes>, signal: AbortSignal | undefined): Promise<Noted>
  /** Gives the calls that hand readings to the host's own model, and take its answers. Closing waits for them. */
  readings(signal: AbortSignal | undefined): ReadingCalls
  /** Tells upkeep that new text waits for its vector. */
  hint(): void
  /** Holds a call that is accepted now and made later: closing waits for it. */
  accepted<Result>(call: (engine: Engine) => Promise<Result>): Promise<Result>
  /** By session, the last append that is not sent yet. */
  readonly unsent: Map<SessionName, Promise<void>>
}
