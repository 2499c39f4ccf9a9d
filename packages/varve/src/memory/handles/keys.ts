// Written from operations/keys.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { CallerKey, NewCallerKey } from '../../keys/caller-key.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { StoreMeans } from '../../operations/means.ts'
import type { Time } from '../../messages/time.ts'
import { keysOperations } from '../../operations/keys.ts'

/** Options of `keys.create`. */
export interface KeyOptions extends CallOptions {
  /** What the key is called, such as the program that has it. */
  readonly name?: string
  /** The project that it reaches. Default: any. */
  readonly project?: string
  /** The user that it reaches, in its project; `~` is the anonymous user. Default: any. */
  readonly user?: string
  /** What its caller may do. An admin also looks after the project, or the store. Default write. */
  readonly access?: 'read' | 'write' | 'admin' | undefined
  /**
   * The origins that its caller may claim for messages. Without person, nothing that it writes is a person’s. Default:
   * any.
   */
  readonly origins?: readonly ('person' | 'assistant' | 'tool' | 'system')[]
  /** Whether the caller names the user at each request, in the header Varve-User: for a gateway. Default false. */
  readonly impersonate?: boolean | undefined
  /** The most requests of a minute. Default: the server’s own bound. From 1 to 1,000,000. */
  readonly perMinute?: number | undefined
  /** The time at which it ends. Default: never. */
  readonly expiresAt?: Time
}

/** Options of `keys.list`. */
export interface KeysListOptions extends CallOptions, ListOptions {
  /** Only keys of this project. Default: all. */
  readonly project?: string
}

/** Options of `keys.revoke`. */
export interface KeysRevokeOptions extends CallOptions {
  /** Only a key of this project. Default: any. */
  readonly project?: string
}

/** The keys of callers of the server. A program that opens the store itself needs none. */
export class Keys {
  /** @internal */
  protected readonly calls: Calls<StoreMeans>

  /** @internal */
  constructor(calls: Calls<StoreMeans>) {
    this.calls = calls
  }

  /**
   * Makes a key for a caller of the server. The answer has its text in `key`, this once: the store keeps a hash of it.
   * Its reach is a project, a user of one, or any.
   *
   * @throws {VarveError} LIMIT_EXCEEDED
   * @example const { key } = await memory.keys.create({ name: 'app', project: 'acme', access: 'read' })
   */
  create(options: KeyOptions = {}): Promise<NewCallerKey> {
    return this.calls.call(keysOperations.create, {}, options)
  }

  /**
   * Lists the keys of callers, the newest first, revoked ones too: everything but their text. A page has at most 100
   * items by default.
   */
  list(options: KeysListOptions = {}): Listing<CallerKey> {
    return this.calls.list(keysOperations.list, {}, options)
  }

  /**
   * Ends a key at once, and empties its name and its user. A server in another process refuses it within a second. A
   * second call changes nothing.
   *
   * @param id The id of the key.
   * @throws {VarveError} NOT_FOUND
   */
  revoke(id: string, options: KeysRevokeOptions = {}): Promise<CallerKey> {
    return this.calls.call(keysOperations.revoke, { id }, options)
  }
}
