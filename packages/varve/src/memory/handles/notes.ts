// Written from operations/notes.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { Notes, NotesEntry } from '../../notes/notes.ts'
import type { NotesDue } from '../../notes/due.ts'
import type { PageRevision } from '../../pages/revision.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import { notesOperations } from '../../operations/notes.ts'

/** Options of `notes.get`. */
export interface NotesGetOptions extends CallOptions {
  /** Reads this revision in place of the standing one. */
  readonly revision?: number | undefined
}

/** Options of `notes.edit`. */
export interface NotesEditOptions extends CallOptions {
  /** Only if this revision stands; 0: only if there are none. Default: any. */
  readonly revision?: number | undefined
}

/** Options of `notes.restore`. */
export interface NotesRestoreOptions extends CallOptions {
  /** Only if this revision stands. Default: any. */
  readonly expectedRevision?: number | undefined
}

/** Options of `notes.delete`. */
export interface NotesDeleteOptions extends CallOptions {
  /** Only if this revision stands. Default: any. */
  readonly expectedRevision?: number | undefined
}

/** The page of notes that follows each running session. With a `notesDirectory`, each page is a file as well. */
export class UserNotes {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Reads the notes of a session as they stand, edits of its file included. With `revision`, it gives the page of that
   * revision. Undefined when there are none.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  get(session: string, options: NotesGetOptions = {}): Promise<Notes | undefined> {
    return this.calls.call(notesOperations.get, { session }, options)
  }

  /**
   * Tells whether an update is due, and why. `on` is true when upkeep makes the update.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  due(session: string, options: CallOptions = {}): Promise<NotesDue & { on: boolean }> {
    return this.calls.call(notesOperations.due, { session }, options)
  }

  /**
   * Brings the notes up to date now, due or not, with the layer on or off. Waits for another update of the same notes.
   * Gives back the new page. EmptySession for a session in which nothing was said.
   *
   * @param session The session.
   * @throws {VarveError} EMPTY_SESSION, NOT_FOUND
   */
  update(session: string, options: CallOptions = {}): Promise<Notes> {
    return this.calls.call(notesOperations.update, { session }, options)
  }

  /**
   * Replaces a session’s notes by a text; makes them when there are none. StaleRevision when another `revision` stands.
   *
   * @param session The session.
   * @param content The whole page, in markdown.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  edit(session: string, content: string, options: NotesEditOptions = {}): Promise<Notes> {
    return this.calls.call(notesOperations.edit, { session, content }, options)
  }

  /**
   * Lists the pages that the notes had, the newest first, each with its difference from the one before. A page has at
   * most 20 items by default. A list of over 16 MiB of text ends early, with a `cursor`.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  revisions(session: string, options: CallOptions & ListOptions = {}): Listing<PageRevision> {
    return this.calls.list(notesOperations.revisions, { session }, options)
  }

  /**
   * Gives notes the page of an earlier revision. This makes a new revision.
   *
   * @param session The session.
   * @param revision The number of the revision.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  restore(session: string, revision: number, options: NotesRestoreOptions = {}): Promise<Notes> {
    return this.calls.call(notesOperations.restore, { session, revision }, options)
  }

  /**
   * Erases the notes of a session with all of their revisions and their file. Switches the layer off for the session:
   * they stay deleted.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  delete(session: string, options: NotesDeleteOptions = {}): Promise<Receipt> {
    return this.calls.call(notesOperations.delete, { session }, options)
  }

  /** Lists the notes of sessions, the last changed first. A page has at most 100 items by default. */
  list(options: CallOptions & ListOptions = {}): Listing<NotesEntry> {
    return this.calls.list(notesOperations.list, {}, options)
  }
}
