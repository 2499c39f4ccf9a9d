// Written from operations/sessions.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { Metadata } from '../../messages/message.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import type { Session } from '../../storage/log/sessions.ts'
import type { Withdrawn } from '../../projects/settings.ts'
import { sessionOperations } from '../../operations/sessions.ts'

/** Options of `sessions.ensure`. */
export interface SessionsEnsureOptions extends CallOptions {
  /** Its title. */
  readonly name?: string | undefined
  /** Whether it may feed the shared bank of its project. */
  readonly share?: boolean | undefined
  /** Values by which messages are filtered. */
  readonly metadata?: Metadata | undefined
  /** Layers of this session that differ from its project’s; null takes a switch back. */
  readonly layers?:
    | {
        readonly gists?: boolean | null | undefined
        readonly bank?: boolean | null | undefined
        readonly facts?: boolean | null | undefined
        readonly documents?: boolean | null | undefined
        readonly notes?: boolean | null | undefined
        readonly instructions?: boolean | null | undefined
      }
    | undefined
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `sessions.rename`. */
export interface SessionsRenameOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `sessions.share`. */
export interface SessionsShareOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** The conversations of a user. */
export class UserSessions {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Makes the session when it is new, and sets the given details; others stay. With `share: false`, its bullets are
   * withdrawn from its project.
   *
   * @param id The session.
   * @throws {VarveError} STALE_REVISION
   */
  ensure(id: string, options: SessionsEnsureOptions = {}): Promise<Session & Withdrawn> {
    return this.calls.call(sessionOperations.ensure, { id }, options)
  }

  /**
   * Lists sessions, the newest talk first. A page has at most 100 items by default. A list of over 16 MiB of text ends
   * early, with a `cursor`.
   */
  list(options: CallOptions & ListOptions = {}): Listing<Session> {
    return this.calls.list(sessionOperations.list, {}, options)
  }

  /**
   * Reads a session’s details.
   *
   * @param id The session.
   * @throws {VarveError} NOT_FOUND
   */
  get(id: string, options: CallOptions = {}): Promise<Session> {
    return this.calls.call(sessionOperations.get, { id }, options)
  }

  /**
   * Gives a session a title.
   *
   * @param id The session.
   * @param name Its title.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  rename(id: string, name: string, options: SessionsRenameOptions = {}): Promise<Session & Withdrawn> {
    return this.calls.call(sessionOperations.rename, { id, name }, options)
  }

  /**
   * Says whether the session may feed the bank of its project. With true, a session that did not feed it does so with
   * what comes from then on. With false, its bullets are withdrawn.
   *
   * @param id The session.
   * @param share Whether it may feed the shared bank of its project.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  share(id: string, share: boolean, options: SessionsShareOptions = {}): Promise<Session & Withdrawn> {
    return this.calls.call(sessionOperations.share, { id, share }, options)
  }

  /**
   * Forgets the session: its messages, its title, and everything that rests on them.
   *
   * @param id The session.
   * @throws {VarveError} NOT_FOUND
   */
  delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(sessionOperations.delete, { id }, options)
  }
}
