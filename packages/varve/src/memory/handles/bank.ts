// Written from operations/bank.ts by `npm run api`. Do not edit.
import type { BankChangeRecord } from '../../bank/deed.ts'
import type { BankRecord, BankStats, RenderedBank } from '../../bank/bank-entry.ts'
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { Metadata } from '../../messages/message.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Recalled } from '../../recall/hit.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import type { Sharing } from '../../projects/settings.ts'
import type { Time } from '../../messages/time.ts'
import { bankOperations, sharingOperations } from '../../operations/bank.ts'

/** Options of `bank.entries`. */
export interface BankEntriesOptions extends CallOptions, ListOptions {
  /** Only this granularity. */
  readonly granularity?: 'conversation' | 'day' | 'week' | 'month' | 'year' | undefined
}

/** Options of `bank.search`. */
export interface BankSearchOptions extends CallOptions {
  /** The most hits. Default 10. From 1 to 1,000. */
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

/** Options of `bank.pin`. */
export interface BankPinOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `bank.correct`. */
export interface BankCorrectOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `bank.delete`. */
export interface BankDeleteOptions extends CallOptions {
  /** Erases the words at once, with what the history keeps of them: they cannot be restored. */
  readonly forget?: boolean | undefined
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `bank.clear`. */
export interface BankClearOptions extends CallOptions {
  /** Erases the words at once, with what the history keeps of them: they cannot be restored. */
  readonly forget?: boolean | undefined
}

/** Options of `bank.restore`. */
export interface BankRestoreOptions extends CallOptions {
  /** Only if the changed entry has this `version`; none for one that was deleted. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `bank.setSharing`. */
export interface SharingOptions extends CallOptions {
  /** Says that members were told the notice. Needed for `backfill`. */
  readonly acknowledge?: boolean | undefined
  /** Whether sessions that began before feed it too. */
  readonly backfill?: boolean | undefined
  /**
   * Whether what members’ assistants answer from now on is taken too, marked as theirs. Off at first; true needs
   * `acknowledge`. False withdraws all entries, and upkeep makes them again without answers.
   */
  readonly assistants?: boolean | undefined
  /** Who makes this choice of `assistants`: shown in the report. At most 256 characters. */
  readonly by?: string | undefined
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/**
 * A ladder of summaries: conversations, days, weeks, months, years. A rendering is chosen when it is read, and fits a
 * budget of tokens.
 */
export class Bank {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /** Counts the entries, and tells how many are rendered under the project’s budget. */
  stats(options: CallOptions = {}): Promise<BankStats> {
    return this.calls.call(bankOperations.stats, {}, options)
  }

  /**
   * Lists entries, the finest first and the newest first in each granularity. A page has at most 1,000 items by default.
   * A list of over 16 MiB of text ends early, with a `cursor`.
   */
  entries(options: BankEntriesOptions = {}): Listing<BankRecord> {
    return this.calls.list(bankOperations.entries, {}, options)
  }

  /**
   * Renders the bank for a prompt: recent talk finely, old talk coarsely. An empty bank gives the empty text. Calls no
   * model.
   *
   * @param maxTokens The most exact tokens. Default: the project’s `bank.maxTokens`. From 1 to 1,000,000.
   */
  render(maxTokens?: number, options: CallOptions = {}): Promise<RenderedBank> {
    return this.calls.call(bankOperations.render, { maxTokens }, options)
  }

  /**
   * Finds entries: hits of kind `bank`. On a shared bank it also finds, word for word, what persons and assistants said
   * in the sessions that feed it: hits of kind `message`. The notice to members says so. It never finds a message that a
   * member kept private. `members` says whose memory a shared hit is from.
   *
   * @param query The question, in words: it has no syntax.
   */
  search(query: string, options: BankSearchOptions = {}): Promise<Recalled> {
    return this.calls.call(bankOperations.search, { query }, options)
  }

  /**
   * Pins an entry: it is rendered whole, and before all others. Pins take at most half of the budget.
   *
   * @param id The id of an entry.
   * @param pinned False unpins the entry. Default true.
   * @throws {VarveError} BUDGET_EXCEEDED, NOT_FOUND, STALE_REVISION
   */
  pin(id: string, pinned?: boolean, options: BankPinOptions = {}): Promise<void> {
    return this.calls.call(bankOperations.pin, { id, pinned }, options)
  }

  /**
   * Replaces an entry by a person’s bullets, a line each. A rewrite of the entry keeps them. They are erased when a
   * message below it is forgotten. Digests above that nobody corrected are erased, pinned ones too; upkeep makes them
   * again. `restore` brings the earlier bullets back. BudgetExceeded when a pinned entry would no longer fit.
   *
   * @param id The id of an entry.
   * @param text At most 8 lines.
   * @throws {VarveError} BUDGET_EXCEEDED, NOT_FOUND, STALE_REVISION
   */
  correct(id: string, text: string, options: BankCorrectOptions = {}): Promise<void> {
    return this.calls.call(bankOperations.correct, { id, text }, options)
  }

  /**
   * Takes out an entry and all entries below it. Upkeep does not bring them back. The messages stay. For 30 days
   * `restore` brings them back by the id of the receipt.
   *
   * @param id The id of an entry.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  delete(id: string, options: BankDeleteOptions = {}): Promise<Receipt> {
    return this.calls.call(bankOperations.delete, { id }, options)
  }

  /**
   * Takes out all entries made so far. Upkeep does not bring them back. The messages stay. For 30 days `restore` brings
   * them back by the id of the receipt.
   */
  clear(options: BankClearOptions = {}): Promise<Receipt> {
    return this.calls.call(bankOperations.clear, {}, options)
  }

  /**
   * Lists the changes that people made to the bank by hand, the newest first: pins, corrections, deletions. With an id,
   * those of one entry. Each tells who made it and when, and the entries as they were before. They are kept for 30 days.
   * A page has at most 100 items by default.
   *
   * @param entry Only the changes of this entry.
   */
  history(entry?: string, options: CallOptions & ListOptions = {}): Listing<BankChangeRecord> {
    return this.calls.list(bankOperations.history, { entry }, options)
  }

  /**
   * Takes a change back, by its id in the history: the entry is as it was before, or the deleted entries stand again. A
   * second call changes nothing. What was forgotten since does not come back. InvalidOption when the change is older
   * than 30 days, when its earlier words were forgotten, or when upkeep has read the messages again since.
   * BudgetExceeded when a pin would no longer fit.
   *
   * @param id The id of a change, or of the receipt of a deletion.
   * @throws {VarveError} BUDGET_EXCEEDED, NOT_FOUND, STALE_REVISION
   */
  restore(id: string, options: BankRestoreOptions = {}): Promise<BankChangeRecord> {
    return this.calls.call(bankOperations.restore, { id }, options)
  }

  /**
   * Has upkeep read every session again, deleted and cleared entries included. Gives the number of sessions. Needed
   * after a change of the project’s time zone.
   */
  rebuild(options: CallOptions = {}): Promise<{ sessions: number }> {
    return this.calls.call(bankOperations.rebuild, {}, options)
  }
}

/** The bank that a project’s members share. Whoever holds this handle may switch sharing, correct and clear. */
export class ProjectBank extends Bank {
  /**
   * Erases the entries that rest on one member’s words, with the digests that may tell of them. Upkeep does not bring
   * them back; their messages stay. Talk that was not read yet comes in when it is read, unless the member’s settings
   * have `share: false`.
   *
   * @param member The user; `~` is the anonymous user.
   */
  withdraw(member: string, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(sharingOperations.withdraw, { member }, options)
  }

  /** Tells whether the project’s bank is shared, and since when. */
  sharing(options: CallOptions = {}): Promise<Sharing> {
    return this.calls.call(sharingOperations.sharing, {}, options)
  }

  /**
   * Switches sharing on or off. It is off at first. On: sessions that begin from now on feed the bank. Off: all that was
   * shared is withdrawn. Members must know the notice.
   *
   * @param on Whether sessions that begin from now on feed the shared bank. False withdraws all that was shared.
   * @throws {VarveError} STALE_REVISION
   */
  setSharing(on: boolean, options: SharingOptions = {}): Promise<Sharing> {
    return this.calls.call(sharingOperations.setSharing, { on }, options)
  }
}
