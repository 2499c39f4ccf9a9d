import type { PlacedSession } from '../derived/parts.ts'
import { type BankTurns, bankBounds, blankSome, eraseSomeEntries, withdrawSome } from '../bank/bank-turns.ts'
import type { BankOwner } from '../bank/bank-edits.ts'
import type { Fed } from '../bank/sharing.ts'
import { inChunks } from '../chunks.ts'
import type { WritingHere } from '../here.ts'
import type { ContextsOf } from '../log/contexts.ts'
import type { Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { dropContextsOfItems } from './contexts-ahead.ts'

type Port = Pick<WritingHere, 'read' | 'write'>

/** Withdraws the bullets that were fed to a shared bank, if they are more than one transaction takes. */
export async function withdrawAhead(here: Port, turns: BankTurns, fed: Fed | undefined, bounds = bankBounds): Promise<void> {
  if (fed === undefined) return
  const isMuch = fed.items.length > bounds.items || fed.sessions.length > bounds.sessions
  if (isMuch) for (const some of inChunks(fed.sessions, bounds.sessions)) await here.write(() => withdrawSome(turns, some), some.length)
  await eraseEntriesAhead(here, turns, { project: fed.project }, fed.items, undefined, bounds)
}

/** Has sessions count as read for a bank, if they are more than one transaction takes. */
export async function blankAhead(
  here: Port,
  turns: BankTurns,
  owner: BankOwner,
  sessions: readonly PlacedSession[],
  bounds = bankBounds,
): Promise<void> {
  if (sessions.length <= bounds.sessions) return
  for (const some of inChunks(sessions, bounds.sessions)) await here.write(() => blankSome(turns, owner, some), some.length)
}

/**
 * Drops the contexts that showed many entries, and takes out entries that are more than one transaction takes. Digests
 * go first, so that none tells of a gone entry. `first` begins the first transaction that takes entries out.
 */
export async function eraseEntriesAhead(
  here: Port,
  turns: BankTurns,
  shownTo: ContextsOf,
  items: readonly ItemTable[],
  cleared: BankOwner | undefined,
  bounds = bankBounds,
  first?: () => Program<void>,
): Promise<void> {
  await dropContextsOfItems(here, shownTo, items, turns.needles)
  if (items.length <= bounds.items) return
  const fromAbove = items.toSorted((one, other) => other.rung - one.rung)
  let begin = first
  for (const some of inChunks(fromAbove, bounds.items)) {
    await here.write(() => eraseAfter(begin, eraseSomeEntries(turns, some, cleared)), some.length)
    begin = undefined
  }
}

function* eraseAfter(first: (() => Program<void>) | undefined, erase: Program<void>): Program<void> {
  if (first !== undefined) yield* first()
  yield* erase
}
