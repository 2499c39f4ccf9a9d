import type { NotesDue } from '../notes/due.ts'
import type { Notes, NotesEntry } from '../notes/notes.ts'
import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import { notesOperations } from '../operations/notes.ts'
import type { CallOptions } from '../operations/call-options.ts'
import type { PageRevision } from '../pages/revision.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Calls } from './calls/calls.ts'

/** The page of notes that follows each running session. With a `notesDirectory`, each is a real file as well. */
export class UserNotes {
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
  }

  /** The notes of a session as they stand, edits in its file taken in; with `revision`, as they stood. Undefined when there are none. */
  get(session: string, options: CallOptions & { revision?: number | undefined } = {}): Promise<Notes | undefined> {
    return this.#calls.call(notesOperations.get, { session }, options)
  }

  /** Whether an update is due, and why; `on`: whether upkeep makes it. NotFound for a session that is not there. */
  due(session: string, options: CallOptions = {}): Promise<NotesDue & { readonly on: boolean }> {
    return this.#calls.call(notesOperations.due, { session }, options)
  }

  /**
   * Brings the notes up to date now, whether it is due or not, and whether the layer is on or not; gives back the
   * page as it then is. EmptySession for a session in which nothing was said. Waits for who is at it.
   */
  update(session: string, options: CallOptions = {}): Promise<Notes> {
    return this.#calls.call(notesOperations.update, { session }, options)
  }

  /**
   * Puts a text in the place of a session's notes; makes them when there are none. StaleRevision when `revision` (0:
   * none yet) is not the one that stands.
   */
  edit(session: string, content: string, options: CallOptions & { revision?: number | undefined } = {}): Promise<Notes> {
    return this.#calls.call(notesOperations.edit, { session, content }, options)
  }

  /**
   * What the notes said, the newest first, each with its difference from the one before. Over 16 MiB of text end early, with a `cursor`.
   * NotFound when there are none.
   */
  revisions(session: string, options: CallOptions & ListOptions = {}): Listing<PageRevision> {
    return this.#calls.list(notesOperations.revisions, { session }, options)
  }

  /** Has notes say again what they said in a revision, which makes a new one. */
  restore(session: string, revision: number, options: CallOptions = {}): Promise<Notes> {
    return this.#calls.call(notesOperations.restore, { session, revision }, options)
  }

  /**
   * Erases the notes of a session with all of their revisions and their file, and switches the layer off for it: they
   * stay deleted. NotFound when there are none.
   */
  delete(session: string, options: CallOptions = {}): Promise<Receipt> {
    return this.#calls.call(notesOperations.delete, { session }, options)
  }

  /** Notes of sessions, the last changed first. Default limit 100. */
  list(options: CallOptions & ListOptions = {}): Listing<NotesEntry> {
    return this.#calls.list(notesOperations.list, {}, options)
  }
}
