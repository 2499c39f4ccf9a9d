import { eraseItems } from '../derived/item-erasure.ts'
import { itemKinds, itemsAt } from '../derived/items.ts'
import { noteTurn } from '../erase/receipts.ts'
import type { Needles } from '../needles.ts'
import type { Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { type BankOwner, blankSessions, blankUnder, withdrawSession } from './bank-edits.ts'

// What is taken out of a bank ahead of the transaction that takes out the rest, some at a time.

/** One erasure that takes several transactions: its receipt, and what the files are searched for. */
export interface BankTurns {
  readonly receipt: string
  readonly now: number
  readonly needles: Needles
}

/** The most that one transaction takes: some 20 ms of a processor. */
export const bankBounds = { items: 100, sessions: 100 }

/** Takes out entries that still stand. Of a bank that is cleared, what they were made from counts as read. */
export function* eraseSomeEntries(
  { receipt, now, needles }: BankTurns,
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
  if (cleared !== undefined) yield* blankUnder(cleared, standing, needles, now)
  yield* eraseItems(standing, needles)
  yield* noteTurn(receipt, { bank: standing.filter(({ kind }) => kind === itemKinds.bank).length }, now)
}

/**
 * Takes out what sessions shared. Until the last transaction they still share: upkeep may read them again, and that
 * one takes out what came of it.
 */
export function* withdrawSome({ receipt, now, needles }: BankTurns, sessions: readonly number[]): Program<void> {
  for (const session of sessions) yield* withdrawSession(session, needles)
  yield* noteTurn(receipt, { bank: 0 }, now)
}

/** Has what sessions said count as read. */
export function* blankSome({ receipt, now, needles }: BankTurns, owner: BankOwner, sessions: readonly number[]): Program<void> {
  yield* blankSessions(owner, sessions, needles)
  yield* noteTurn(receipt, { bank: 0 }, now)
}
