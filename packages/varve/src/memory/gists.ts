import type { Gist } from '../gists/gist.ts'
import { gistOperations } from '../operations/gists.ts'
import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import type { Recalled } from '../recall/hit.ts'
import type { RecallOptions } from '../recall/request.ts'
import type { Calls } from './calls/calls.ts'

/** What each of a user's sessions was about. */
export class UserGists {
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
  }

  /** A session's gist; undefined while it has none. NotFound for a session that is not there. */
  get(session: string, options: CallOptions = {}): Promise<Gist | undefined> {
    return this.#calls.call(gistOperations.get, { session }, options)
  }

  /**
   * The newest talk first. Default limit 100. A list of over 16 MiB of text ends early; its own `cursor` says where the next one goes on,
   * when there are more.
   */
  list(options: CallOptions & ListOptions = {}): Listing<Gist> {
    return this.#calls.list(gistOperations.list, {}, options)
  }

  /** Finds sessions by their gists: hits of kind `gist`. Default limit 3. */
  recall(query: string, options: Omit<RecallOptions, 'kinds'> & CallOptions = {}): Promise<Recalled> {
    return this.#calls.call(gistOperations.recall, { query }, options)
  }

  /**
   * Puts a person's words in the place of a session's gist. They stand for what was said so far; what is said later
   * is added to them; forgetting any of it forgets them too.
   */
  write(session: string, text: string, options: CallOptions = {}): Promise<Gist> {
    return this.#calls.call(gistOperations.write, { session, text }, options)
  }

  /** Reads the session now, whether it is due or not, and gives back its gist; undefined when it says nothing. */
  distil(session: string, options: CallOptions = {}): Promise<Gist | undefined> {
    return this.#calls.call(gistOperations.distil, { session }, options)
  }

  /** How many messages wait to be read: of a session, or of all. NotFound for a session that is not there. */
  pending(session?: string, options: CallOptions = {}): Promise<number> {
    return this.#calls.call(gistOperations.pending, { session }, options)
  }
}
