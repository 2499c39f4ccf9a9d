import type { Span } from '../lineage/span.ts'
import type { StoredBlock, StoredRevision } from '../storage/derived/blocks.ts'
import { uuidText } from '../storage/uuid-bytes.ts'

/** The longest text of a block, in characters as `text.length` counts them. */
export const blockChars = { least: 1, usual: 5_000, most: 100_000 } as const

/** The most blocks of a user, of a session, or of a project. */
export const maxBlocks = 100

/** The newest revisions of a block that are kept. */
export const revisionsKept = 100

/** A named piece of working memory. Times are UTC milliseconds. */
export interface Block {
  readonly id: string
  readonly name: string
  readonly text: string
  /**
   * Its owner: `user` for all of the user's conversations, `session` for one session, `project` for all members of the
   * project.
   */
  readonly scope: 'user' | 'session' | 'project'
  readonly session?: string
  /** Its place among the blocks of its scope, from 1. */
  readonly position: number
  /** `text.length`, and its upper bound. */
  readonly chars: number
  readonly maxChars: number
  readonly revision: number
  /** The writer of the standing text: `person`, or the name of an agent. */
  readonly writer: string
  readonly createdAt: number
  /** The time of the last change of its text. */
  readonly updatedAt: number
  /** True for a block of the project. Only `memory.project(name).blocks` writes it. */
  readonly shared?: true
}

/** A text that a block had. */
export interface BlockRevision {
  readonly revision: number
  readonly text: string
  readonly chars: number
  readonly writer: string
  readonly at: number
  /** Of a text that an agent wrote: its session's messages at that time. */
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

/** Gives the messages that there were when a tool wrote it. */
export function lineageOf({ origin, from_seq: from, to_seq: to }: Pick<StoredRevision, 'origin' | 'from_seq' | 'to_seq'>): readonly Span[] {
  return origin === null || to === 0 ? [] : [{ session: origin, from, to }]
}
