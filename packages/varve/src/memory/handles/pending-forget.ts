// Written from operations/pending-forget.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { PendingForget } from '../../facts/pending-forgets.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import { pendingForgetOperations } from '../../operations/pending-forget.ts'

/**
 * Requests to forget that a person made in a conversation. Each ends its facts at once; the messages are erased when
 * the host confirms it. The list is derived from the messages, so a request goes with its message.
 */
export class UserPendingForget {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /** Lists the requests to forget that wait for the host, the last said first. A page has at most 50 items by default. */
  list(options: CallOptions & ListOptions = {}): Listing<PendingForget> {
    return this.calls.list(pendingForgetOperations.list, {}, options)
  }

  /**
   * Erases the messages of a request, as `forget` does: those that told its facts, and the request itself.
   *
   * @param id The id of a request.
   * @throws {VarveError} NOT_FOUND
   */
  confirm(id: string, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(pendingForgetOperations.confirm, { id }, options)
  }

  /**
   * Has a request wait no more. Its facts stay ended, and its messages stay.
   *
   * @param id The id of a request.
   * @throws {VarveError} NOT_FOUND
   */
  dismiss(id: string, options: CallOptions = {}): Promise<void> {
    return this.calls.call(pendingForgetOperations.dismiss, { id }, options)
  }
}
