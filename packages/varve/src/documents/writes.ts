import { receipted, timed } from '../storage/offer.ts'
import { workIn } from './work-in.ts'
import { deleteDocument, editDocument, restoreDocument } from './write-documents.ts'

/** What can be changed of documents. */
export const documentWrites = { edit: timed(editDocument), restore: timed(restoreDocument), delete: receipted(deleteDocument), workIn: timed(workIn) }
