import type { Span } from '../lineage/span.ts'
import type { StoredPage } from '../storage/pages/pages.ts'
import { uuidText } from '../storage/uuid-bytes.ts'

/**
 * The longest content of a document, in characters as `text.length` counts them. The usual one has some 4,000 tokens:
 * it fits a small model's window beside the prompt.
 */
export const documentChars = { least: 200, usual: 16_000, most: 200_000 } as const

/** The most documents of a user, or of a project. */
export const maxDocuments = 10_000

/** A document as it is listed. Times are UTC milliseconds. */
export interface DocumentEntry {
  readonly id: string
  /** Its subject. Case, blanks, punctuation and articles do not tell names apart. */
  readonly name: string
  /** Its subject, in a sentence. */
  readonly description: string
  readonly revision: number
  /** `content.length`, and its upper bound. */
  readonly chars: number
  readonly maxChars: number
  /**
   * The writer of the standing revision: `person`, an agent's name, a model's, or `extractive`. `forgetting` when a
   * part was forgotten since.
   */
  readonly writer: string
  readonly createdAt: number
  readonly updatedAt: number
  /** True for a document of the project, which all of its members read. Only `memory.project(name).documents` writes it. */
  readonly shared?: true
}

/** A named markdown page of knowledge. */
export interface Document extends DocumentEntry {
  readonly content: string
  /** The messages that the standing content rests on; empty for a document of the project. */
  readonly lineage: readonly Span[]
}

export function documentEntryOf(row: StoredPage, isShared: boolean): DocumentEntry {
  return {
    id: uuidText(row.uuid),
    name: row.name,
    description: row.description,
    revision: row.revision,
    chars: row.content.length,
    maxChars: row.max_chars,
    writer: row.writer,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(isShared ? { shared: true } : {}),
  }
}

/** A document that answers a question, with the passage that was found. */
export interface RecollectedDocument {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The passage that was found. */
  readonly passage: string
  /** From 0 to 1. */
  readonly score: number
  readonly revision: number
  /** UTC milliseconds. */
  readonly updatedAt: number
  /** True for a document of the project. */
  readonly shared?: true
}

/** The result of memorizing a session. */
export interface Memorized {
  /** Facts that were worked into documents: those of this session, and those that waited. */
  readonly facts: number
  /** Documents that were made or changed. */
  readonly documents: readonly { readonly name: string; readonly revision: number }[]
  /** Facts that wait because the editing model failed. Upkeep asks it again; `upkeep.status().failures` tells why. */
  readonly waiting: number
}
