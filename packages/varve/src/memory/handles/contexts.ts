// Written from operations/contexts.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ContextComparison } from '../../context/past/compare.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { PartitionMeans, StoreMeans } from '../../operations/means.ts'
import type { PastContext, PastContextHead } from '../../context/past/past-context.ts'
import { userContextOperations, contextsOperations } from '../../operations/contexts.ts'

/** Options of `contexts.list`. */
export interface UserContextsOptions extends CallOptions, ListOptions {
  /** Only contexts for this session. */
  readonly session?: string | undefined
}

/** Options of `memory.contexts.list`. */
export interface ContextsOptions extends CallOptions, ListOptions {
  /** The project. Default: `default`. */
  readonly project?: string
  /** The user. Default: the anonymous user. */
  readonly user?: string
  /** Only contexts for this session. */
  readonly session?: string | undefined
}

/** The contexts that this user was shown, made again from ids and revisions. */
export class UserContexts {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Lists the contexts that were shown, the newest first: the last 20 of each session, and 200 in all. Empty ones are
   * not kept. A page has at most 50 items by default.
   */
  list(options: UserContextsOptions = {}): Listing<PastContextHead> {
    return this.calls.list(userContextOperations.list, {}, options)
  }

  /**
   * Shows a context again, made from ids and revisions. An item that was forgotten since is shown as gone, and one with
   * other words now as changed. The persona and the question are not kept.
   *
   * @param id The `id` of a context.
   * @throws {VarveError} NOT_FOUND
   */
  get(id: string, options: CallOptions = {}): Promise<PastContext> {
    return this.calls.call(userContextOperations.get, { id }, options)
  }

  /**
   * Compares two contexts of one user: the items that came in, fell out and changed, each with the reason as it was
   * recorded; `unknown` where none was.
   *
   * @param first The `id` of the earlier context.
   * @param second The `id` of the later context.
   * @throws {VarveError} NOT_FOUND
   */
  compare(first: string, second: string, options: CallOptions = {}): Promise<ContextComparison> {
    return this.calls.call(userContextOperations.compare, { first, second }, options)
  }
}

/** The contexts that any user was shown. A server gives a caller only what is theirs. */
export class Contexts {
  /** @internal */
  protected readonly calls: Calls<StoreMeans>

  /** @internal */
  constructor(calls: Calls<StoreMeans>) {
    this.calls = calls
  }

  /**
   * Lists the contexts that were shown, the newest first: the last 20 of each session, and 200 in all. Empty ones are
   * not kept. A page has at most 50 items by default.
   */
  list(options: ContextsOptions = {}): Listing<PastContextHead> {
    return this.calls.list(contextsOperations.list, {}, options)
  }

  /**
   * Shows a context again, made from ids and revisions. An item that was forgotten since is shown as gone, and one with
   * other words now as changed. The persona and the question are not kept. The answer names its project and user: a
   * server must check them before it gives it to a caller.
   *
   * @param id The `id` of a context.
   * @throws {VarveError} NOT_FOUND
   */
  get(id: string, options: CallOptions = {}): Promise<PastContext> {
    return this.calls.call(contextsOperations.get, { id }, options)
  }

  /**
   * Compares two contexts of one user: the items that came in, fell out and changed, each with the reason as it was
   * recorded; `unknown` where none was.
   *
   * @param first The `id` of the earlier context.
   * @param second The `id` of the later context.
   * @throws {VarveError} NOT_FOUND
   */
  compare(first: string, second: string, options: CallOptions = {}): Promise<ContextComparison> {
    return this.calls.call(contextsOperations.compare, { first, second }, options)
  }
}
