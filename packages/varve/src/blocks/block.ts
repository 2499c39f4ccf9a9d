import type { Span } from '../lineage/span.ts'
import type { StoredBlock, StoredRevision } from '../storage/derived/blocks.ts'
import { uuidText } from '../storage/uuid-bytes.ts'

/** The longest text of a block, in characters as `text.length` counts them. */
export const blockChars = { least: 1, usual: 5_000, most: 100_000 } as const

/** Blocks of a user, of a session, of a project. */
export const maxBlocks = 100

/** Revisions of a block that are kept: the newest. */
export const revisionsKept = 100

/** A named piece of working memory. Times are UTC milliseconds. */
export interface Block {
  readonly id: string
  readonly name: string
  readonly text: string
  /** Whose it is: all of the user's conversations', one session's, or the project's, which all of its members read. */
  readonly scope: 'user' | 'session' | 'project'
  readonly session?: string
  /** Its place among those of its scope, from 1. */
  readonly position: number
  /** `text.length`, and the most that it may be. */
  readonly chars: number
  readonly maxChars: number
  readonly revision: number
  /** Who wrote what stands: `person`, or the name of a tool's agent. */
  readonly writer: string
  readonly createdAt: number
  /** When its text was last changed. */
  readonly updatedAt: number
  /** The project's: only `memory.project(name).blocks` writes it. */
  readonly shared?: true
}

/** What a block said. */
export interface BlockRevision {
  readonly revision: number
  readonly text: string
  readonly chars: number
  readonly writer: string
  readonly at: number
  /** Of what a tool wrote: its session's messages so far. */
  readonly lineage: readonly Span[]
}

export function blockOf(row: StoredBlock, isShared: boolean): Block {
  return {
    id: uuidText(row.uuid),
    name: row.name,
    text: row.content,
    scope: isShared ? 'project' : row.session_id > 0 ? 'session' : 'user',
    ...(row.session === null ? {} : { session: row.session }),
    position: row.place,
    chars: row.content.length,
    maxChars: row.max_chars,
    revision: row.revision,
    writer: row.writer,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(isShared ? { shared: true } : {}),
  }
}

export function revisionOf(row: StoredRevision): BlockRevision {
  return {
    revision: row.revision,
    text: row.content,
    chars: row.content.length,
    writer: row.writer,
    at: row.written_at,
    lineage: lineageOf(row),
  }
}

/** The messages that there were when it was written by a tool. */
export function lineageOf({ origin, from_seq: from, to_seq: to }: Pick<StoredRevision, 'origin' | 'from_seq' | 'to_seq'>): readonly Span[] {
  return origin === null || to === 0 ? [] : [{ session: origin, from, to }]
}
