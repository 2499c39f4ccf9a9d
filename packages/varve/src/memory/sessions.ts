import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import { sessionOperations } from '../operations/sessions.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Session, SessionChanges } from '../storage/log/sessions.ts'
import type { Calls } from './calls/calls.ts'

/** With the receipt of what was withdrawn from what the project shares, where something was. */
export interface Withdrawn {
  readonly receipt?: Receipt
}

/** The conversations of a partition. */
export class UserSessions {
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
  }

  /**
   * Makes the session if it is not there, and sets what is given; what is not given stays. With `share: false`, what
   * it fed to its project is withdrawn.
   */
  ensure(id: string, details: SessionChanges & CallOptions = {}): Promise<Session & Withdrawn> {
    return this.#calls.call(sessionOperations.ensure, { id }, details)
  }

  /**
   * Newest talk first; default limit 100. A list of over 16 MiB of text ends early; its own `cursor` says where the next one goes on,
   * when there are more.
   */
  list(options: CallOptions & ListOptions = {}): Listing<Session> {
    return this.#calls.list(sessionOperations.list, {}, options)
  }

  /** NotFound when there is no such session in this partition. */
  get(id: string, options: CallOptions = {}): Promise<Session> {
    return this.#calls.call(sessionOperations.get, { id }, options)
  }

  /** Gives a session a title. NotFound when it is not there. */
  rename(id: string, name: string, options: CallOptions = {}): Promise<Session & Withdrawn> {
    return this.#calls.call(sessionOperations.rename, { id, name }, options)
  }

  /** Whether the session may feed what the project shares; with false, what it did feed is withdrawn. */
  share(id: string, share: boolean, options: CallOptions = {}): Promise<Session & Withdrawn> {
    return this.#calls.call(sessionOperations.share, { id, share }, options)
  }

  /** Forgets the session: its messages, its name, and all that rests on them. */
  delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return this.#calls.call(sessionOperations.delete, { id }, options)
  }
}
