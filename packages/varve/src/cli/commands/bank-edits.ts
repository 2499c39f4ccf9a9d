import type { Command } from 'commander'
import { bankOperations } from '../../operations/bank.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { entryId, entryWith } from '../bank-entry.ts'
import { showErasure } from '../forget-or-show.ts'
import type { YesFlags } from '../global-flags.ts'
import { commandLine, thisLine, whoseStore } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { ownOrShared, type SharedFlags, whoseShared } from '../own-or-shared.ts'
import { entryLines, rungs } from '../render/bank.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, counted, note, print, printJson } from '../terminal.ts'

type Flags = SharedFlags & YesFlags
type Entry = InputOf<typeof bankOperations.delete>

const help = { id: "the entry's id, or a beginning of it that no other id has (8 characters or more)" }

/** Adds the commands that change a bank by hand. */
export function addBankEdits(bank: Command): void {
  const except = ['pinned'] as const
  addCommand(bank, 'pin <id>', bankOperations.pin, (entry, flags: Flags) => pin(entry, true, flags), { help, except })
  addCommand(bank, 'unpin <id>', bankOperations.pin, (entry, flags: Flags) => pin(entry, false, flags), {
    about: 'unpins an entry',
    help,
    except,
  })
  addCommand(bank, 'correct <id> <text>', bankOperations.correct, correct, {
    about: 'replaces an entry by your bullets, a line each; a rewrite of the entry keeps them',
    help: { ...help, text: 'the bullets, 8 at most, without dashes' },
    stdin: 'text',
  })
  addCommand(bank, 'delete <id>', bankOperations.delete, remove, {
    about: 'takes out an entry and all entries below it; without --yes, it only shows a preview',
    help,
  }).option('--yes', 'deletes, in place of a preview')
  addCommand(bank, 'clear', bankOperations.clear, clear, {
    about: 'takes out all entries made so far; without --yes, it only shows a preview',
  }).option('--yes', 'deletes, in place of a preview')
  addCommand(bank, 'rebuild', bankOperations.rebuild, rebuild)
}

/** Says that a deletion can be taken back, or that it cannot. */
function undoing(isForgetting: boolean | undefined, flags: Flags): string {
  const restore = commandLine('bank', 'history', ...whoseShared(flags))
  return isForgetting === true ? 'It cannot be undone.' : `For 30 days it can be taken back: ${restore} names it.`
}

async function pin({ id: given }: Entry, pinned: boolean, flags: Flags): Promise<void> {
  const id = await withStore(flags, async (handle, memory) => {
    const { bank } = ownOrShared(flags, handle, memory)
    const id = await entryId(bank, given, flags)
    await bank.pin(id, pinned)
    return id
  })
  if (flags.json === true) return printJson({ id, pinned })
  print(`${id} is ${pinned ? 'pinned: it is rendered whole, and before all others' : 'not pinned any more'}.`)
}

async function correct({ id: given, text }: InputOf<typeof bankOperations.correct>, flags: Flags): Promise<void> {
  const { id, entry } = await writing(flags, async (handle, memory) => {
    const { bank } = ownOrShared(flags, handle, memory)
    const id = await entryId(bank, given, flags)
    await bank.correct(id, text)
    return { id, entry: await entryWith(bank, id) }
  })
  if (flags.json === true) return printJson({ id, entry: entry ?? null })
  print(`${id} is corrected.`)
  if (entry !== undefined) print(entryLines(entry, columns()).join('\n'))
}

async function remove({ id: given, forget }: Entry, flags: Flags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const { bank } = ownOrShared(flags, handle, memory)
    const id = await entryId(bank, given, flags)
    const entry = flags.yes === true ? undefined : await entryWith(bank, id)
    // Without an entry to show, the memory reports that it is not there.
    if (entry === undefined) return printReceipt('Deleted', await bank.delete(id, { forget }), memory, flags)
    const below = entry.granularity === 'conversation' ? '' : ', the entries below it,'
    const would = `Would be deleted: this entry${below} and the digests of the periods above it. The messages stay.`
    showErasure({ entry }, entryLines(entry, columns()), would, flags, undoing(forget, flags))
  })
}

async function clear({ forget }: InputOf<typeof bankOperations.clear>, flags: Flags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const { bank } = ownOrShared(flags, handle, memory)
    if (flags.yes === true) return printReceipt('Deleted', await bank.clear({ forget }), memory, flags)
    const { entries } = await bank.stats()
    const next = Object.values(entries).every((count) => count === 0) ? undefined : thisLine('--yes')
    if (flags.json === true) return printJson({ done: false, entries, ...(next === undefined ? {} : { next }) })
    print(`Would be deleted: ${rungs(entries)}.`)
    if (next !== undefined)
      note(
        `Nothing was done yet. ${undoing(forget, flags)} The messages stay; ` +
          `${commandLine('bank', 'rebuild', ...whoseShared(flags))} has them read again.\nNext: ${next}`,
      )
  })
}

async function rebuild(_input: object, flags: Flags): Promise<void> {
  const rebuilt = await withStore(flags, (handle, memory) => ownOrShared(flags, handle, memory).bank.rebuild())
  if (flags.json === true) return printJson(rebuilt)
  print(`${counted(rebuilt.sessions, 'session')} to be read again; the present entries serve until then.`)
  if (rebuilt.sessions > 0) note(`Next: ${commandLine('upkeep', ...whoseStore(flags))}`)
}
