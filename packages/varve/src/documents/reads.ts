import { noted, plain } from '../storage/offer.ts'
import { documentRevisions, listDocuments, readDocument } from './read-documents.ts'

/** The reads of documents. */
export const documentReads = { list: plain(listDocuments), read: noted(readDocument), revisions: plain(documentRevisions) }
