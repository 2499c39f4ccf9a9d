import type { PartitionId } from '../scope/partition.ts'
import { newReceipt } from '../storage/erase/erases.ts'
import type { PageRestoring } from '../pages/write-page.ts'
import type { WritingHere } from '../storage/here.ts'
import { plain } from '../storage/offer.ts'
import { withRoom } from '../storage/with-room.ts'
import { nameKey } from './names.ts'
import { type DocumentWrite, putFactsAside, workInAhead } from './work-in.ts'
import {
  deleteDocumentAhead,
  type DocumentChange,
  type DocumentWriter,
  type DocumentToDelete,
  editDocumentAhead,
  restoreDocumentAhead,
} from './write-documents.ts'

/** The writes of documents. Slow work is done ahead of its transaction. */
export const documentWrites = {
  edit: (here: WritingHere, partition: PartitionId, name: string, change: DocumentChange, by: DocumentWriter) =>
    editDocumentAhead(here, partition, name, change, by, here.now),
  restore: (here: WritingHere, partition: PartitionId, name: string, restoring: PageRestoring, writer: string) =>
    restoreDocumentAhead(here, partition, name, restoring, writer, here.now),
  delete: (here: WritingHere, partition: PartitionId, edited: DocumentToDelete) => {
    const receipt = newReceipt(here.now, { what: 'document', of: partition, key: nameKey(edited.name) })
    return withRoom(here, () => deleteDocumentAhead(here, partition, edited, receipt, here.now))
  },
  workIn: (here: WritingHere, partition: number, holder: string, writes: readonly DocumentWrite[]) =>
    workInAhead(here, partition, holder, writes, here.now),
  setAside: plain(putFactsAside),
}
