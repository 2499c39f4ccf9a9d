import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { answer, type Program } from '../../storage/program.ts'
import type { Turn } from './turn.ts'

/** A session's notes as they stand in the store. */
export interface StoredNotes {
  readonly text: string
  /** Every message up to this seq is in them. */
  readonly coveredSeq: number
  readonly revision: number
  readonly at: number
}

export type ReadNotes = (partition: PartitionId, session: SessionName) => Program<StoredNotes | undefined>

/** No layer of notes. */
export const noNotes: ReadNotes = () => answer(undefined)

/** A turn that is to be written down, with its place in the session where it is stored. */
export interface GoingTurn {
  readonly turn: Turn
  readonly seq?: number
}

/** How notes are written and shortened without a model. */
export interface NotesWriting {
  /** The page with what these messages say; without a page, a new one. '' when there is nothing to say. */
  extract(page: string, going: readonly GoingTurn[]): string
  /** As much of a page as fits, what matters most; '' when nothing does. */
  fit(page: string, maxTokens: number, count: (text: string) => number): string
}
