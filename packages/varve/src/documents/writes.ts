import type { PartitionId } from '../scope/partition.ts'
import { newReceipt } from '../storage/erase/erases.ts'
import type { WritingHere } from '../storage/here.ts'
import { withRoom } from '../storage/with-room.ts'
import { nameKey } from './names.ts'
import { type DocumentWrite, workInAhead } from './work-in.ts'
import {
  deleteDocumentAhead,
  type DocumentChange,
  type DocumentWriter,
  editDocumentAhead,
  restoreDocumentAhead,
} from './write-documents.ts'

/** The writes of documents. Slow work is done ahead of its transaction. */
export const documentWrites = {
  edit: (here: WritingHere, partition: PartitionId, name: string, change: DocumentChange, by: DocumentWriter) =>
    editDocumentAhead(here, partition, name, change, by, here.now),
  restore: (here: WritingHere, partition: PartitionId, name: string, revision: number, writer: string) =>
    restoreDocumentAhead(here, partition, name, revision, writer, here.now),
  delete: (here: WritingHere, partition: PartitionId, name: string) =>
    withRoom(here, () =>
      deleteDocumentAhead(here, partition, name, newReceipt(here.now, { what: 'document', of: partition, key: nameKey(name) }), here.now),
    ),
  workIn: (here: WritingHere, partition: number, holder: string, writes: readonly DocumentWrite[]) =>
    workInAhead(here, partition, holder, writes, here.now),
}
