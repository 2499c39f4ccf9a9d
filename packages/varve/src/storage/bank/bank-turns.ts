import type { PlacedSession } from '../derived/parts.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import { type NewReceipt, receiptIdOf } from '../erase/erases.ts'
import { itemKinds, itemsAt } from '../derived/items.ts'
import { noteTurn } from '../erase/receipts.ts'
import type { Needles } from '../needles.ts'
import type { Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { type BankChange, type BankOwner, blankSessions, blankUnder, keepItems, keeping, withdrawSession } from './bank-edits.ts'

// Bank erasures in several transactions: these steps run before the last transaction, which erases the rest.

/** One erasure that takes several transactions: its receipt, and the bytes to search the files for. */
export interface BankTurns {
  readonly receipt: NewReceipt
  readonly now: number
  readonly needles: Needles
  /** The change, if it can be taken back. */
  readonly change?: BankChange | undefined
}

/** The most that one transaction takes: some 20 ms of a processor. */
export const bankBounds = { items: 100, sessions: 100 }

/** Takes out entries that still stand. When `cleared` is set, their source parts count as read. */
export function* eraseSomeEntries(
  { receipt, now, needles, change }: BankTurns,
  entries: readonly ItemTable[],
  cleared: BankOwner | undefined,
): Program<void> {
  const [first] = entries
  const standing =
    first === undefined
      ? []
      : yield* itemsAt(
          first.partition_id,
          entries.map(({ ord }) => ord),
        )
  const owner = cleared === undefined ? undefined : yield* keeping(cleared, change, receiptIdOf(receipt), now)
  if (owner !== undefined) yield* keepItems(owner, standing)
  if (owner !== undefined) yield* blankUnder(owner, standing, needles, now)
  yield* eraseItems(standing, needles)
  yield* noteTurn(receipt, { bank: standing.filter(({ kind }) => kind === itemKinds.bank).length }, now)
}

/**
 * Takes out the shared parts of sessions. Until the last transaction the sessions still share, so upkeep may read them
 * again. The last transaction erases those results too.
 */
export function* withdrawSome({ receipt, now, needles }: BankTurns, sessions: readonly PlacedSession[]): Program<void> {
  for (const session of sessions) yield* withdrawSession(session, needles)
  yield* noteTurn(receipt, { bank: 0 }, now)
}

/** Blanks the parts of some sessions: they count as read. */
export function* blankSome(
  { receipt, now, needles, change }: BankTurns,
  owner: BankOwner,
  sessions: readonly PlacedSession[],
): Program<void> {
  yield* blankSessions(yield* keeping(owner, change, receiptIdOf(receipt), now), sessions, needles)
  yield* noteTurn(receipt, { bank: 0 }, now)
}
