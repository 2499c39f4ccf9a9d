import type { Span } from '../lineage/span.ts'
import { withinTransaction, type PageWork } from '../pages/page-work.ts'
import { lineageOfPage } from '../pages/lineage.ts'
import type { StoredPage } from '../storage/pages/pages.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'

/** The notes of a session, as they are listed. Times are UTC milliseconds. */
export interface NotesEntry {
  readonly id: string
  readonly session: string
  readonly revision: number
  readonly chars: number
  /**
   * The writer of the standing page: a model's name, `extractive`, or `person`. `template` before the first update;
   * `forgetting` when a part was forgotten since.
   */
  readonly writer: string
  /** The seq of the last message that they cover. */
  readonly upTo: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** The one page that follows a running session. */
export interface Notes extends NotesEntry {
  /** Markdown: a section for each heading of the template; without a model, for those with something to say. */
  readonly content: string
  /** The messages that the page rests on. */
  readonly lineage: readonly Span[]
  /** The path of its file, when the page is mirrored: a file to be read and edited by hand. */
  readonly path?: string
}

export function notesEntryOf(row: StoredPage): NotesEntry {
  return {
    id: uuidText(row.uuid),
    session: row.session ?? '',
    revision: row.revision,
    chars: row.content.length,
    writer: row.writer,
    upTo: row.noted_seq,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function* notesOfPage(row: StoredPage, work: PageWork = withinTransaction): Program<Notes> {
  return { ...notesEntryOf(row), content: row.content, lineage: yield* lineageOfPage(row, work) }
}
