import type { PageRestoring } from '../pages/write-page.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { newReceipt } from '../storage/erase/erases.ts'
import type { WritingHere } from '../storage/here.ts'
import { withRoom } from '../storage/with-room.ts'
import {
  deleteNotesAhead,
  type NotesToDelete,
  editNotesAhead,
  type NotesRead,
  restoreNotesAhead,
  storeNotesAhead,
  type WrittenNotes,
} from './write-notes.ts'

/** The writes of notes. Slow work is done ahead of its transaction. */
export const notesWrites = {
  edit: (
    here: WritingHere,
    partition: PartitionId,
    session: SessionName,
    change: { content: string; revision: number | undefined },
    writer: string,
  ) => editNotesAhead(here, partition, session, change, writer, here.now),
  restore: (here: WritingHere, partition: PartitionId, session: SessionName, restoring: PageRestoring, writer: string) =>
    restoreNotesAhead(here, partition, session, restoring, writer, here.now),
  delete: (here: WritingHere, partition: PartitionId, edited: NotesToDelete) => {
    const receipt = newReceipt(here.now, { what: 'notes', of: partition, session: edited.session })
    return withRoom(here, () => deleteNotesAhead(here, partition, edited, receipt, here.now))
  },
  store: (here: WritingHere, read: NotesRead, written: WrittenNotes) => storeNotesAhead(here, read, written, here.now),
}
