import { shownAt, plain } from '../storage/offer.ts'
import { documentRevisions, listDocuments, readDocument } from './read-documents.ts'

/** The reads of documents. */
export const documentReads = { list: plain(listDocuments), read: shownAt(readDocument), revisions: plain(documentRevisions) }
