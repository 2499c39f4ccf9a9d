import type { Command } from 'commander'
import { type BankFlags, bankOf, entryId, entryWith, whoseBank } from '../bank-of.ts'
import { textOrInput } from '../input.ts'
import { commandLine, thisLine, whose } from '../next-command.ts'
import { finishWriting, withStore } from '../open-store.ts'
import { entryLines, rungs } from '../render/bank.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, counted, note, print, printJson } from '../terminal.ts'

interface EraseFlags extends BankFlags {
  readonly yes?: boolean
}

const idHelp = 'the entry, by its id or a beginning of it that no other has (8 characters or more)'

/** What changes a bank by hand. */
export function addBankEdits(bank: Command): void {
  bank
    .command('pin')
    .description('have an entry rendered whole, and first of all')
    .argument('<id>', idHelp)
    .action(async (id: string, _flags: unknown, command: Command) => pin(id, true, command.optsWithGlobals<BankFlags>()))
  bank
    .command('unpin')
    .description('take a pin out')
    .argument('<id>', idHelp)
    .action(async (id: string, _flags: unknown, command: Command) => pin(id, false, command.optsWithGlobals<BankFlags>()))
  bank
    .command('correct')
    .description("put your bullets, a line each, in an entry's place; they stay when it is written anew")
    .argument('<id>', idHelp)
    .argument('<text>', 'the bullets, without dashes; - reads them from stdin')
    .action(async (id: string, text: string, _flags: unknown, command: Command) => correct(id, text, command.optsWithGlobals<BankFlags>()))
  bank
    .command('delete')
    .description('take an entry out, and all below it: shows what would go; does it with --yes')
    .argument('<id>', idHelp)
    .option('--yes', 'do it')
    .action(async (id: string, _flags: unknown, command: Command) => remove(id, command.optsWithGlobals<EraseFlags>()))
  bank
    .command('clear')
    .description('take everything out that was read so far: shows what would go; does it with --yes')
    .option('--yes', 'do it')
    .action(async (_flags: unknown, command: Command) => clear(command.optsWithGlobals<EraseFlags>()))
  bank
    .command('rebuild')
    .description('have upkeep read everything again, what was deleted or cleared included')
    .action(async (_flags: unknown, command: Command) => rebuild(command.optsWithGlobals<BankFlags>()))
}

async function pin(given: string, pinned: boolean, flags: BankFlags): Promise<void> {
  const id = await withStore(flags, async (handle, memory) => {
    const bank = bankOf(flags, handle, memory)
    const id = await entryId(bank, given, flags)
    await bank.pin(id, pinned)
    return id
  })
  if (flags.json === true) return printJson({ id, pinned })
  print(`${id} is ${pinned ? 'pinned: it is rendered whole, and first of all' : 'not pinned any more'}.`)
}

async function correct(given: string, text: string, flags: BankFlags): Promise<void> {
  const bullets = await textOrInput(text)
  const { id, entry } = await withStore(flags, async (handle, memory) => {
    const bank = bankOf(flags, handle, memory)
    const id = await entryId(bank, given, flags)
    await bank.correct(id, bullets)
    await finishWriting(memory)
    return { id, entry: await entryWith(bank, id) }
  })
  if (flags.json === true) return printJson({ id, entry: entry ?? null })
  print(`${id} is corrected.`)
  if (entry !== undefined) print(entryLines(entry, columns()).join('\n'))
}

async function remove(given: string, flags: EraseFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const bank = bankOf(flags, handle, memory)
    const id = await entryId(bank, given, flags)
    const entry = flags.yes === true ? undefined : await entryWith(bank, id)
    // Without an entry to show, the memory itself says that it is not there.
    if (entry === undefined) return printReceipt('Deleted', await bank.delete(id), memory, flags)
    const next = thisLine('--yes')
    if (flags.json === true) return printJson({ done: false, entry, next })
    print(entryLines(entry, columns()).join('\n'))
    const below = entry.granularity === 'conversation' ? '' : ', what is below it,'
    note(
      `Would be deleted: this entry${below} and the digests of the periods above it. The messages stay.\nNothing was done yet. ` +
        `It cannot be undone.\nNext: ${next}`,
    )
  })
}

async function clear(flags: EraseFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const bank = bankOf(flags, handle, memory)
    if (flags.yes === true) return printReceipt('Deleted', await bank.clear(), memory, flags)
    const { entries } = await bank.stats()
    const next = Object.values(entries).every((count) => count === 0) ? undefined : thisLine('--yes')
    if (flags.json === true) return printJson({ done: false, entries, ...(next === undefined ? {} : { next }) })
    print(`Would be deleted: ${rungs(entries)}.`)
    if (next !== undefined)
      note(
        `Nothing was done yet. The messages stay; ${commandLine('bank', 'rebuild', ...whoseBank(flags))} has them read ` +
          `again.\nNext: ${next}`,
      )
  })
}

async function rebuild(flags: BankFlags): Promise<void> {
  const rebuilt = await withStore(flags, (handle, memory) => bankOf(flags, handle, memory).rebuild())
  if (flags.json === true) return printJson(rebuilt)
  print(`${counted(rebuilt.sessions, 'session')} to be read again; what stands serves until then.`)
  if (rebuilt.sessions > 0) note(`Next: ${commandLine('upkeep', ...whose(flags.store === undefined ? {} : { store: flags.store }))}`)
}
