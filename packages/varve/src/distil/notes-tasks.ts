import type { Notes } from '../notes/notes.ts'
import type { RefusedCall } from '../notes/edit.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { NotesRead, WrittenNotes } from '../notes/write-notes.ts'
import type { DueScope } from './due.ts'
import type { Asked, LedgerTasks } from './model-calls.ts'
import type { DraftedNotes, NotesReading } from './notes-reading.ts'

/** What notes need of a store and of the thread that writes for it. */
export interface NotesTasks extends LedgerTasks {
  dueNotes(layers: number, at: { now: number; since: number }, limit: number, only?: DueScope): Promise<readonly DueNotes[]>
  claimNotes(session: number, partition: number, holder: string, now: number, until: number): Promise<boolean>
  releaseNotes(session: number, holder: string, now: number, reason?: string, notBefore?: number): Promise<void>
  readForNotes(session: number, maxTokens: number): Promise<NotesReading | undefined>
  /** What to ask a model about what is new, and of its last answer what was refused; undefined when no writer may read any of it. */
  askNotes(reading: NotesReading, refused: readonly RefusedCall[]): Promise<Asked | undefined>
  /** The page after an answer; undefined where the answer holds no calls. */
  parseNotes(reading: NotesReading, object: Readonly<Record<string, unknown>>): Promise<DraftedNotes | undefined>
  /** What to ask a model to make shorter, once. */
  askCondensed(reading: NotesReading, draft: DraftedNotes): Promise<Asked>
  /** The page with what was made shorter, and cut where that was not enough. */
  parseCondensed(reading: NotesReading, draft: DraftedNotes, object: Readonly<Record<string, unknown>> | undefined): Promise<DraftedNotes>
  /** The page as it is written without a model. */
  extractNotes(reading: NotesReading): Promise<string>
  storeNotes(read: NotesRead, written: WrittenNotes, now: number): Promise<Notes | undefined>
}
