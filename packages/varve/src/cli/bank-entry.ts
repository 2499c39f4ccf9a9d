import type { UserMemory } from '../memory/user-memory.ts'
import { commandLine } from './next-command.ts'
import { type SharedFlags, whoseShared } from './own-or-shared.ts'
import { wholeId } from './whole-id.ts'

export type BankHandle = UserMemory['bank']
export type ListedBankEntry = Awaited<ReturnType<BankHandle['entries']>>[number]

const entriesAtOnce = 1_000

/** Finds the whole id of an entry by its beginning. */
export async function entryId(bank: BankHandle, text: string, flags: SharedFlags): Promise<string> {
  return wholeId(text, 'entries', () => bank.entries({ limit: entriesAtOnce }), commandLine('bank', 'entries', ...whoseShared(flags)))
}

/** Gives the entry with this id; undefined when there is none. */
export async function entryWith(bank: BankHandle, id: string): Promise<ListedBankEntry | undefined> {
  for await (const entry of bank.entries({ limit: entriesAtOnce })) if (entry.id === id) return entry
  return undefined
}
