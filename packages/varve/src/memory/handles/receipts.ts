// Written from operations/receipts.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import type { ReceiptCheck } from '../../operations/receipt-check.ts'
import type { ReplayedReceipt } from '../../operations/replayed-receipt.ts'
import type { StoreMeans } from '../../operations/means.ts'
import { receiptsOperations } from '../../operations/receipts.ts'

/** Receipts of erasures. */
export class Receipts {
  /** @internal */
  protected readonly calls: Calls<StoreMeans>

  /** @internal */
  constructor(calls: Calls<StoreMeans>) {
    this.calls = calls
  }

  /** Lists receipts of erasures, the newest first. A page has at most 100 items by default. */
  list(options: CallOptions & ListOptions = {}): Listing<Receipt> {
    return this.calls.list(receiptsOperations.list, {}, options)
  }

  /**
   * Reads a receipt.
   *
   * @param id The id of the receipt.
   * @throws {VarveError} NOT_FOUND
   */
  get(id: string, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(receiptsOperations.get, { id }, options)
  }

  /**
   * Verifies the signatures of a receipt with the store's key and the configured Ed25519 key.
   *
   * @param receipt A receipt, or the id of one of this store.
   * @throws {VarveError} NOT_FOUND
   */
  verify(receipt: Receipt | string, options: CallOptions = {}): Promise<ReceiptCheck> {
    return this.calls.call(receiptsOperations.verify, { receipt }, options)
  }

  /**
   * Erases again what receipts of this store say: for a backup from before an erasure. Nothing that was recorded after a
   * receipt goes. A receipt that does not verify is refused, and the others are replayed.
   *
   * @param receipts Receipts, at most 1000.
   */
  replay(receipts: readonly Receipt[], options: CallOptions = {}): Promise<ReplayedReceipt[]> {
    return this.calls.call(receiptsOperations.replay, { receipts }, options)
  }
}
