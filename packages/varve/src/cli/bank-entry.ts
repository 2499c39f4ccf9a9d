import type { List, ListOptions } from '../operations/list.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { commandLine } from './next-command.ts'
import { type SharedFlags, whoseShared } from './own-or-shared.ts'
import { wholeId } from './whole-id.ts'
import { wholeList } from './whole-list.ts'

export type BankHandle = UserMemory['bank']
export type ListedBankEntry = Awaited<ReturnType<BankHandle['entries']>>[number]

const mostEntries = 100_000

/** Finds the whole id of an entry by its beginning. */
export async function entryId(bank: BankHandle, text: string, flags: SharedFlags): Promise<string> {
  const ids = async (): Promise<string[]> => (await entriesThat(bank, ({ id }) => id.startsWith(text.toLowerCase()))).map(({ id }) => id)
  return wholeId(text, 'entries', ids, commandLine('bank', 'entries', ...whoseShared(flags)))
}

/** Gives the entry with this id; undefined when there is none. */
export async function entryWith(bank: BankHandle, id: string): Promise<ListedBankEntry | undefined> {
  return (await entriesThat(bank, (entry) => entry.id === id))[0]
}

async function entriesThat(bank: BankHandle, isMeant: (entry: ListedBankEntry) => boolean): Promise<readonly ListedBankEntry[]> {
  const pages = async (options: ListOptions): Promise<List<ListedBankEntry>> => {
    const page = await bank.entries(options)
    return Object.assign(page.filter(isMeant), page.cursor === undefined ? {} : { cursor: page.cursor })
  }
  return wholeList(mostEntries, pages)
}
