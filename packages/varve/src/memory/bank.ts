import type { BankRecord, BankStats, RenderedBank } from '../bank/bank-entry.ts'
import type { Granularity } from '../bank/granularity.ts'
import { bankOperations, sharingOperations } from '../operations/bank.ts'
import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import type { Recalled } from '../recall/hit.ts'
import type { RecallOptions } from '../recall/request.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Calls } from './calls/calls.ts'

/** A ladder of summaries: conversations, days, weeks, months, years. A rendering is chosen at read time, and fits a budget. */
export class Bank {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /** How many entries there are, and what is rendered of them under the project's budget. */
  stats(options: CallOptions = {}): Promise<BankStats> {
    return this.calls.call(bankOperations.stats, {}, options)
  }

  /**
   * Entries, the finest first and the newest first in each granularity; of one granularity, or of all. Default limit 1,000.
   * A list of over 16 MiB of text ends early; its own `cursor` says where the next one goes on, when there are more.
   */
  entries(options: CallOptions & ListOptions & { granularity?: Granularity | undefined } = {}): Listing<BankRecord> {
    return this.calls.list(bankOperations.entries, {}, options)
  }

  /**
   * The block that a prompt gets: fine for the recent, coarse for the old, at most `maxTokens` exact tokens (default: the
   * project's `bank.maxTokens`). An empty bank is the empty text. Makes no model call.
   */
  render(maxTokens?: number, options: CallOptions = {}): Promise<RenderedBank> {
    return this.calls.call(bankOperations.render, { maxTokens }, options)
  }

  /**
   * Finds entries: hits of kind `bank`; on a shared bank also messages of the sessions that feed it, and nothing that
   * a member kept private.
   */
  search(query: string, options: Omit<RecallOptions, 'kinds'> & CallOptions = {}): Promise<Recalled> {
    return this.calls.call(bankOperations.search, { query }, options)
  }

  /** Has an entry rendered whole and first of all. Pins take at most half of the budget: BudgetExceeded beyond that. */
  pin(id: string, pinned = true, options: CallOptions = {}): Promise<void> {
    return this.calls.call(bankOperations.pin, { id, pinned }, options)
  }

  /**
   * Puts a person's bullets, a line each, in an entry's place. They stay when it is written anew, and go when a
   * message below it is forgotten. Digests above that nobody corrected are taken out, pinned ones too: upkeep makes
   * them again. BudgetExceeded for a pinned entry that would not fit as a pin any more.
   */
  correct(id: string, text: string, options: CallOptions = {}): Promise<void> {
    return this.calls.call(bankOperations.correct, { id, text }, options)
  }

  /** Takes an entry out, and all below it; upkeep does not bring it back. The messages stay. */
  delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(bankOperations.delete, { id }, options)
  }

  /** Takes everything out that was read so far; upkeep does not bring it back. */
  clear(options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(bankOperations.clear, {}, options)
  }

  /**
   * Has upkeep read everything again, what was deleted or cleared included; gives back how many sessions. Needed when
   * the project's time zone was changed.
   */
  rebuild(options: CallOptions = {}): Promise<{ readonly sessions: number }> {
    return this.calls.call(bankOperations.rebuild, {}, options)
  }
}

/** Whether a project's bank is shared. */
export interface Sharing {
  readonly on: boolean
  /** Sessions that began since then feed it: UTC milliseconds; 0 for all. */
  readonly since?: number
  /** The text that members see. */
  readonly notice: string
  /** The receipt of withdrawn entries. */
  readonly receipt?: Receipt
}

export interface SharingOptions {
  /** Says that members were told the notice. Needed for `backfill`. */
  readonly acknowledge?: boolean
  /** Whether sessions that began before feed it too. */
  readonly backfill?: boolean
}

/** The bank that a project's members share. Whoever holds this handle may switch sharing, correct and clear. */
export class ProjectBank extends Bank {
  /** Whether it is on. */
  sharing(options: CallOptions = {}): Promise<Sharing> {
    return this.calls.call(sharingOperations.sharing, {}, options)
  }

  /** Off by default. On: sessions that begin from now on feed it. Off: all that was shared is withdrawn. Members must know the notice. */
  setSharing(on: boolean, options: SharingOptions & CallOptions = {}): Promise<Sharing> {
    return this.calls.call(sharingOperations.setSharing, { on }, options)
  }
}
