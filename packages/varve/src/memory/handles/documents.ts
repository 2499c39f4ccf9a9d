// Written from operations/documents.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { Document, DocumentEntry, Memorized, RecollectedDocument } from '../../documents/document.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { PageEdit } from '../../pages/page-edit.ts'
import type { PageRevision } from '../../pages/revision.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import { documentOperations } from '../../operations/documents.ts'

/** Options of `documents.read`. */
export interface DocumentsReadOptions extends CallOptions {
  /** Reads this revision in place of the standing one. */
  readonly revision?: number | undefined
}

/** Options of `documents.recollect`. */
export interface DocumentsRecollectOptions extends CallOptions {
  /** The most documents. Default 5. From 1 to 100. */
  readonly limit?: number | undefined
  /** The least score. Default .3, or .2 where words alone tell. From 0 to 1. */
  readonly minScore?: number | undefined
}

/** Options of `documents.edit`. */
export interface EditOptions extends CallOptions {
  /** Only if this revision stands; 0: only if there is none. Default: any. */
  readonly revision?: number | undefined
  /** The subject in a sentence. Default: made of the content. */
  readonly description?: string | undefined
  /** The most characters. Default: as it was; 16,000 of a new one. From 200 to 200,000. */
  readonly maxChars?: number | undefined
  /** The name of the agent that writes. Left out: a person. */
  readonly writer?: string | undefined
  /** The session from which an agent writes: its messages so far are the lineage. */
  readonly during?: string
}

/** Options of `documents.restore`. */
export interface DocumentsRestoreOptions extends CallOptions {
  /** Only if this revision stands. Default: any. */
  readonly expectedRevision?: number | undefined
}

/** Options of `documents.delete`. */
export interface DocumentsDeleteOptions extends CallOptions {
  /** Only if this revision stands. Default: any. */
  readonly expectedRevision?: number | undefined
}

/** Named markdown pages of knowledge, each with its revisions. */
export class DocumentMethods {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Lists the user’s own documents, then those of the project (`shared`); of each the last changed first. A page has at
   * most 100 items by default.
   */
  list(options: CallOptions & ListOptions = {}): Listing<DocumentEntry> {
    return this.calls.list(documentOperations.list, {}, options)
  }

  /**
   * Reads the user’s own document, or else the project’s, as it stands. With `revision`, it gives the content of that
   * revision. Undefined when there is none.
   *
   * @param name The name of the document.
   * @throws {VarveError} NOT_FOUND
   */
  read(name: string, options: DocumentsReadOptions = {}): Promise<Document | undefined> {
    return this.calls.call(documentOperations.read, { name }, options)
  }

  /**
   * Finds documents by their content, the best first, each with the passage that was found. Empty when no document
   * answers.
   *
   * @param query The question.
   */
  recollect(query: string, options: DocumentsRecollectOptions = {}): Promise<readonly RecollectedDocument[]> {
    return this.calls.call(documentOperations.recollect, { query }, options)
  }

  /**
   * Replaces the content of a document, or edits the standing content: all edits are made, or none. Makes the document
   * when it is new. InvalidOption for an edit that cannot be made, with the valid range. StaleRevision when `revision`
   * is not the standing one. LimitExceeded for a content that is too long.
   *
   * @param name The name of the document.
   * @param change The whole content as text, or a list of edits.
   * @throws {VarveError} STALE_REVISION, LIMIT_EXCEEDED
   * @example await ada.documents.edit('Harbour office', [{ tool: 'append', text: '- opens at 8' }], { revision: 3 })
   */
  edit(name: string, change: string | readonly PageEdit[], options: EditOptions = {}): Promise<Document> {
    return this.calls.call(documentOperations.edit, { name, change }, options)
  }

  /**
   * Lists the contents that a document had, the newest first, each with its difference from the one before. The last 200
   * keep their words. A page has at most 20 items by default. A list of over 16 MiB of text ends early, with a `cursor`.
   *
   * @param name The name of the document.
   * @throws {VarveError} NOT_FOUND
   */
  revisions(name: string, options: CallOptions & ListOptions = {}): Listing<PageRevision> {
    return this.calls.list(documentOperations.revisions, { name }, options)
  }

  /**
   * Gives a document the content of an earlier revision. This makes a new revision.
   *
   * @param name The name of the document.
   * @param revision The number of the revision.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  restore(name: string, revision: number, options: DocumentsRestoreOptions = {}): Promise<Document> {
    return this.calls.call(documentOperations.restore, { name, revision }, options)
  }

  /**
   * Erases a document with all of its revisions. The facts in it are not worked into another document.
   *
   * @param name The name of the document.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  delete(name: string, options: DocumentsDeleteOptions = {}): Promise<Receipt> {
    return this.calls.call(documentOperations.delete, { name }, options)
  }

  /**
   * Reads the new messages of a session for documents, with the layer on or off, and works them in. A user’s documents
   * only.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  memorize(session: string, options: CallOptions = {}): Promise<Memorized> {
    return this.calls.call(documentOperations.memorize, { session }, options)
  }
}
