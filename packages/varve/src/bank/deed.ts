import type { BankAct } from '../storage/deeds/deeds.ts'
import type { Granularity } from './granularity.ts'

/** A change of a bank by hand. Times are UTC milliseconds. */
export interface BankChangeRecord {
  /** The id for `bank.restore`. That of a deletion is the id of its receipt too. */
  readonly id: string
  readonly act: BankAct
  /** The id of the changed entry; absent when the bank was cleared. */
  readonly entry?: string
  /** `person`: only people change a bank by hand. */
  readonly by: string
  readonly at: number
  /** The time from which it cannot be taken back. */
  readonly until: number
  /** The time at which it was taken back. */
  readonly undoneAt?: number
  /** False when it was taken back, when it is too old, or when nothing is left of what it took away. */
  readonly restorable: boolean
  /** The entries as they were before it; none for a pin. What was forgotten since is missing. */
  readonly before: readonly EntryBefore[]
  /** The number of these entries. `before` holds at most 20 of them, the coarsest first. */
  readonly entries: number
}

/** An entry as it was. */
export interface EntryBefore {
  readonly id: string
  readonly granularity: Granularity
  readonly period: string
  readonly bullets: readonly string[]
  readonly writer: string
  readonly pinned: boolean
  readonly writtenAt: number
}
