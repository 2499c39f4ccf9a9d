import type { DocumentWrite, WorkedIn } from '../documents/work-in.ts'
import type { DocumentEdit, PendingSubject } from './pending-documents.ts'
import type { EditOutcome } from './prompts/parse-edits.ts'
import type { NearDocument } from '../recall/near-documents.ts'
import type { DueScope } from './due.ts'
import type { PendingPartition } from '../storage/pages/page-facts.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import type { Asked, LedgerTasks } from './model-calls.ts'

/** What working facts into documents needs of a store, and of the thread that writes for it. */
export interface DocumentTasks extends LedgerTasks {
  dueDocuments(now: number, only: DueScope | undefined): Promise<readonly PendingPartition[]>
  claimDocuments(partition: number, holder: string, now: number, until: number): Promise<number | undefined>
  releaseDocuments(partition: number, holder: string, now: number, reason?: string, notBefore?: number): Promise<void>
  pendingSubjects(partition: number): Promise<readonly PendingSubject[]>
  /** How near documents are to a subject's name (by description) and to what was said of it (by passage), as cosines. */
  nearDocuments(partition: number, maker: VectorMaker, name: Float32Array, facts: Float32Array): Promise<readonly NearDocument[]>
  /** What a document is, with facts to be worked in; a new one by its name. */
  documentEdits(partition: number, subjects: readonly PendingSubject[], timeZone: string): Promise<readonly DocumentEdit[]>
  /** What to ask an editor; with what became of its last answer, once more. */
  askEdits(edit: DocumentEdit, outcome: FailedEdit | undefined): Promise<Asked>
  parseEdits(edit: DocumentEdit, object: Readonly<Record<string, unknown>>): Promise<EditOutcome>
  /** What is written without a model: dated bullets, in as many documents as they fit. */
  extractEdits(edit: DocumentEdit): Promise<readonly DocumentWrite[]>
  workIn(partition: number, holder: string, writes: readonly DocumentWrite[], now: number): Promise<WorkedIn>
}

/** Why an answer changed nothing. */
export type FailedEdit = Exclude<EditOutcome, { readonly content: string }>
