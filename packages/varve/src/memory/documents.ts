import type { Document, DocumentEntry } from '../documents/document.ts'
import { documentOperations } from '../operations/documents.ts'
import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import { type DocumentTools, documentTools } from '../operations/tools/documents.ts'
import type { PageEdit } from '../pages/page-edit.ts'
import type { PageRevision } from '../pages/revision.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Calls } from './calls/calls.ts'

/** A document of which a passage has to do with the question. */
export interface RecollectedDocument {
  readonly id: string
  readonly name: string
  readonly description: string
  /** What of it was found. */
  readonly passage: string
  readonly score: number
  readonly revision: number
  readonly updatedAt: number
  readonly shared?: true
}

export interface EditOptions extends CallOptions {
  /** The revision that the edit was made on; 0: there is none yet. StaleRevision when another one stands. Left out: whatever stands. */
  readonly revision?: number
  /** What the document is about, in a sentence. Left out: it is made of the content. */
  readonly description?: string
  /** The most characters of its content, 200 to 200,000. Default 16,000; kept when it is left out. */
  readonly maxChars?: number
}

/** What memorizing a session came to. */
export interface Memorized {
  /** What was said of subjects and got into documents: of this session, and what waited. */
  readonly facts: number
  /** Documents that were made or changed. */
  readonly documents: readonly { readonly name: string; readonly revision: number }[]
  /** What was read and waits: a model that was to edit failed, and is asked again by upkeep (`upkeep.status().failures` tells why). */
  readonly waiting: number
}

/** Named markdown pages of knowledge, each with its revisions. */
export class Documents {
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
  }

  /** The user's own documents, then those of the project (`shared`); of each the last changed first. Default limit 100. */
  list(options: CallOptions & ListOptions = {}): Listing<DocumentEntry> {
    return this.#calls.list(documentOperations.list, {}, options)
  }

  /** The user's own document, or else the project's, as it stands; with `revision`, as it stood. Undefined when there is none. */
  read(name: string, options: CallOptions & { revision?: number | undefined } = {}): Promise<Document | undefined> {
    return this.#calls.call(documentOperations.read, { name }, options)
  }

  /**
   * Documents by what is in them, the best first, each with the passage that was found. Default limit 5, minScore .3,
   * or .2 where there is no vector to compare and words alone tell; an empty list when nothing has to do with the
   * question.
   */
  recollect(
    query: string,
    options: CallOptions & { limit?: number | undefined; minScore?: number | undefined } = {},
  ): Promise<readonly RecollectedDocument[]> {
    return this.#calls.call(documentOperations.recollect, { query }, options)
  }

  /**
   * Puts a content in a document's place, or makes edits of what stands: all of them, or none. A document that is not there is made.
   * InvalidOption for an edit that cannot be made, with the valid range; StaleRevision; LimitExceeded.
   *
   * @example await ada.documents.edit('Harbour office', [{ tool: 'append', text: '- opens at 8' }], { revision: 3 })
   */
  edit(name: string, change: string | readonly PageEdit[], options: EditOptions = {}): Promise<Document> {
    return this.#calls.call(documentOperations.edit, { name, change }, options)
  }

  /**
   * What a document said, the newest first, each with its difference from the one before. The words of the last 200 are kept. Over 16 MiB
   * of text end early, with a `cursor`. NotFound when there is no such document.
   */
  revisions(name: string, options: CallOptions & ListOptions = {}): Listing<PageRevision> {
    return this.#calls.list(documentOperations.revisions, { name }, options)
  }

  /**
   * Has a document say again what it said in a revision, which makes a new one. NotFound for a document or a revision
   * that is not there.
   */
  restore(name: string, revision: number, options: CallOptions = {}): Promise<Document> {
    return this.#calls.call(documentOperations.restore, { name, revision }, options)
  }

  /** Erases a document with all of its revisions; what was read for it is not worked into another. NotFound when there is none. */
  delete(name: string, options: CallOptions = {}): Promise<Receipt> {
    return this.#calls.call(documentOperations.delete, { name }, options)
  }

  /**
   * Reads what is new in a session, whether the layer is on or not, and works it into documents. NotFound for a
   * session that is not there.
   */
  memorize(session: string, options: CallOptions = {}): Promise<Memorized> {
    return this.#calls.call(documentOperations.memorize, { session }, options)
  }

  /**
   * Tools of the AI SDK by which an agent lists, reads, recollects and edits documents. What they write has `writer`
   * (default `agent`) in its revision, and with a session that session's messages so far as its lineage.
   *
   * @example generateText({ model, prompt, tools: ada.documents.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): DocumentTools {
    const isProjects = this.#calls.means.partition.owner.kind === 'shared'
    return documentTools((operation, input, call) => this.#calls.call(operation, input, call), { ...options, isProjects })
  }
}
