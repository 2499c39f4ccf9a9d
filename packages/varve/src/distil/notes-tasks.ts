import type { LongSection } from '../notes/caps.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { Notes } from '../notes/notes.ts'
import type { NotesRead, WrittenNotes } from '../notes/write-notes.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Problem } from './prompts/problem.ts'
import type { Asked, LedgerTasks } from './model-calls.ts'
import type { DistilSettings } from './settings.ts'

/** A session as it stands, and what of it is to be noted. */
export interface NotesReading extends Omit<NotesRead, 'holder'> {
  readonly name: string
  readonly partition: PartitionId
  readonly project: number
  readonly settings: DistilSettings
  /** The page as it stands, or nothing but its headings; with every section of the template. */
  readonly page: string
  readonly template: string
  /** How often it could not be written as it should, in a row. */
  readonly attempts: number
  /** Whether more was said than was read. */
  readonly hasMore: boolean
}

/** What a model's answer made of a page. */
export interface DraftedNotes {
  readonly content: string
  /** Calls that were refused: of another tool, of a section that is not there, or that would break the page. */
  readonly refused: number
  /** Sections that are to be condensed. */
  readonly long: readonly LongSection[]
  /** Why nothing of the answer could be used. */
  readonly problem?: Problem
}

/** What notes need of a store and of the thread that writes for it. */
export interface NotesTasks extends LedgerTasks {
  dueNotes(layers: number, at: { now: number; since: number }, limit: number): Promise<readonly DueNotes[]>
  claimNotes(session: number, partition: number, holder: string, now: number, until: number): Promise<boolean>
  releaseNotes(session: number, holder: string, now: number, reason?: string, notBefore?: number): Promise<void>
  /** Undefined when the session is gone, or nothing of it is new. */
  readForNotes(session: number, maxTokens: number): Promise<NotesReading | undefined>
  /** What to ask a model about what is new; undefined when no writer may read any of it. */
  askNotes(reading: NotesReading, problem: Problem | undefined): Promise<Asked | undefined>
  parseNotes(reading: NotesReading, object: Readonly<Record<string, unknown>>): Promise<DraftedNotes>
  /** What to ask a model to make shorter, once. */
  askCondensed(reading: NotesReading, draft: DraftedNotes): Promise<Asked>
  /** The page with what was made shorter, and cut where that was not enough. */
  parseCondensed(reading: NotesReading, draft: DraftedNotes, object: Readonly<Record<string, unknown>> | undefined): Promise<string>
  /** The page as it is written without a model. */
  extractNotes(reading: NotesReading): Promise<string>
  storeNotes(read: NotesRead, written: WrittenNotes, now: number): Promise<Notes | undefined>
}
