// Written from operations/audit.ts by `npm run api`. Do not edit.
import type { AuditEntry } from '../../observe/audit-entry.ts'
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { StoreMeans } from '../../operations/means.ts'
import type { Time } from '../../messages/time.ts'
import { auditOperations } from '../../operations/audit.ts'

/** Options of `audit.list`. */
export interface AuditListOptions extends CallOptions, ListOptions {
  /** Only in this project. Default: all. */
  readonly project?: string
  /** Only with this user of that project; `~` is the anonymous user. */
  readonly user?: string
  /** Only by this key: its id. */
  readonly key?: string | undefined
  /** Only deeds of this kind. Default: all. */
  readonly act?: 'read' | 'write' | 'share' | 'forget' | 'keys' | undefined
  /** At this time or later. */
  readonly from?: Time | undefined
  /** At this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
}

/** What callers of the server did. */
export class Audit {
  /** @internal */
  protected readonly calls: Calls<StoreMeans>

  /** @internal */
  constructor(calls: Calls<StoreMeans>) {
    this.calls = calls
  }

  /**
   * Lists what callers of the server did, the newest first: the key, the project and user, the operation, and ids; never
   * content. The newest 1,000,000 entries of the last 400 days are kept. A page has at most 100 items by default.
   */
  list(options: AuditListOptions = {}): Listing<AuditEntry> {
    return this.calls.list(auditOperations.list, {}, options)
  }
}
