import type { List, ListOptions } from '../operations/list.ts'
import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { defaultProject } from '../scope/scope.ts'
import { CommandError } from './command-error.ts'
import type { GlobalFlags } from './global-flags.ts'
import { commandLine, whose } from './next-command.ts'
import { wholeList } from './whole-list.ts'

export type BankHandle = UserMemory['bank']
export type ListedBankEntry = Awaited<ReturnType<BankHandle['entries']>>[number]

export interface BankFlags extends GlobalFlags {
  /** The project's bank rather than the user's own. */
  readonly shared?: boolean
}

export function bankOf(flags: BankFlags, handle: UserMemory, memory: Memory): BankHandle {
  return flags.shared === true ? memory.project(flags.project ?? defaultProject).bank : handle.bank
}

/** The flags that say whose bank it is, to repeat in another command. */
export function whoseBank(flags: BankFlags): string[] {
  return [...(flags.shared === true ? ['--shared'] : []), ...whose(flags)]
}

const mostEntries = 100_000
const wholeId = 36
/** Ids begin with the time at which an entry was written: shorter beginnings say next to nothing. */
const shortestId = 8

/** The whole id that some text begins. What begins none is given back as it is: the memory says that there is no such entry. */
export async function entryId(bank: BankHandle, text: string, flags: BankFlags): Promise<string> {
  const start = text.toLowerCase()
  if (start.length >= wholeId || start.length < shortestId) return text
  const found = await entriesThat(bank, ({ id }) => id.startsWith(start))
  if (found.length <= 1) return found[0]?.id ?? text
  throw new CommandError(`${text} begins the ids of ${found.length} entries: give more of it.`, {
    code: 'USAGE',
    exitCode: 2,
    next: commandLine('bank', 'entries', ...whoseBank(flags)),
  })
}

/** The entry with this id, if it is there. */
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
