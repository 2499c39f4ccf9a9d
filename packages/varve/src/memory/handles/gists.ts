// Written from operations/gists.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { Gist, GistRevision } from '../../gists/gist.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { Metadata } from '../../messages/message.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Recalled } from '../../recall/hit.ts'
import type { Time } from '../../messages/time.ts'
import { gistOperations } from '../../operations/gists.ts'

/** Options of `gists.recall`. */
export interface GistsRecallOptions extends CallOptions {
  /** The most hits. Default 3. From 1 to 1,000. */
  readonly limit?: number | undefined
  /** Only this session. */
  readonly session?: string | undefined
  /** All sessions but this one. */
  readonly excludeSession?: string | undefined
  /** Said at this time or later. */
  readonly from?: Time | undefined
  /** Said at this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
  /** Only messages whose metadata has all of these values. */
  readonly metadata?: Metadata | undefined
  /** Leaves out hits below this score, which compares the hits of one question. Default 0. From 0 to 1. */
  readonly minScore?: number | undefined
  /** A hit that was said this many days ago has half of its score. From 0.001 to 100,000. */
  readonly halfLifeDays?: number | undefined
  /** Messages before and after each hit; they never count as hits. Default 0. From 0 to 20. */
  readonly neighbours?: number | undefined
}

/** Options of `gists.write`. */
export interface GistsWriteOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `gists.restore`. */
export interface GistsRestoreOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** A gist of each of a user’s sessions. */
export class UserGists {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Reads a session’s gist; undefined while it has none.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  get(session: string, options: CallOptions = {}): Promise<Gist | undefined> {
    return this.calls.call(gistOperations.get, { session }, options)
  }

  /**
   * Lists gists, the newest talk first. A page has at most 100 items by default. A list of over 16 MiB of text ends
   * early, with a `cursor`.
   */
  list(options: CallOptions & ListOptions = {}): Listing<Gist> {
    return this.calls.list(gistOperations.list, {}, options)
  }

  /**
   * Finds sessions by their gists: hits of kind `gist`. Default limit 3.
   *
   * @param query The question, in words: it has no syntax.
   */
  recall(query: string, options: GistsRecallOptions = {}): Promise<Recalled> {
    return this.calls.call(gistOperations.recall, { query }, options)
  }

  /**
   * Replaces a session’s gist by a person’s words. They stand for the messages so far. Later messages are added to them.
   * Forgetting any of their messages forgets them too. `restore` brings the earlier gist back.
   *
   * @param session The session.
   * @param text The gist.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  write(session: string, text: string, options: GistsWriteOptions = {}): Promise<Gist> {
    return this.calls.call(gistOperations.write, { session, text }, options)
  }

  /**
   * Lists the texts that a session’s gist had before a person wrote another, the standing one first, with who replaced
   * each and when. They are kept for 30 days. A page has at most 100 items by default.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  revisions(session: string, options: CallOptions & ListOptions = {}): Listing<GistRevision> {
    return this.calls.list(gistOperations.revisions, { session }, options)
  }

  /**
   * Gives a session’s gist the text of an earlier revision. This makes a new revision. Upkeep adds what was said since.
   * Nothing changes when that text stands.
   *
   * @param session The session.
   * @param revision The number of the revision.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  restore(session: string, revision: number, options: GistsRestoreOptions = {}): Promise<Gist | undefined> {
    return this.calls.call(gistOperations.restore, { session, revision }, options)
  }

  /**
   * Reads the session now, due or not, and gives back its gist; undefined when the session says nothing to sum up.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  distil(session: string, options: CallOptions = {}): Promise<Gist | undefined> {
    return this.calls.call(gistOperations.distil, { session }, options)
  }

  /**
   * Counts the messages that wait to be read: of a session, or of all.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  pending(session?: string, options: CallOptions = {}): Promise<number> {
    return this.calls.call(gistOperations.pending, { session }, options)
  }
}
