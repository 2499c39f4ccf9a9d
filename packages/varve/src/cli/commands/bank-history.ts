import type { Command } from 'commander'
import { bankOperations } from '../../operations/bank.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { type BankHandle, entryId } from '../bank-entry.ts'
import { commandLine } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { ownOrShared, type SharedFlags, whoseShared } from '../own-or-shared.ts'
import { changeLines } from '../render/bank-change.ts'
import { columns, note, print, printJson, printParts } from '../terminal.ts'
import { wholeId } from '../whole-id.ts'
import { wholeList } from '../whole-list.ts'

/** Adds the commands that list changes by hand and take them back. */
export function addBankHistory(bank: Command): void {
  const beginning = 'or a beginning of it that no other id has (8 characters or more)'
  addCommand(bank, 'history [entry]', bankOperations.history, history, {
    about: 'lists pins, corrections and deletions by hand, newest first, with who made them and when',
    help: { entry: `the entry's id, ${beginning} (default: all)` },
  })
  addCommand(bank, 'restore <id>', bankOperations.restore, restore, {
    about: 'takes a change of the last 30 days back; once only',
    help: { id: `the id of the change, ${beginning}` },
  })
}

async function history({ entry, limit }: InputOf<typeof bankOperations.history>, flags: SharedFlags): Promise<void> {
  const changes = await withStore(flags, async (handle, memory) => {
    const { bank } = ownOrShared(flags, handle, memory)
    const of = entry === undefined ? undefined : await entryId(bank, entry, flags)
    return wholeList(limit, (options) => bank.history(of, options))
  })
  if (flags.json === true) return printJson({ changes })
  if (changes.length === 0)
    return note(`Nobody changed it by hand in the last 30 days.\nNext: ${commandLine('bank', 'entries', ...whoseShared(flags))}`)
  printParts(changes.map((change) => changeLines(change, columns())))
}

async function restore({ id: given }: InputOf<typeof bankOperations.restore>, flags: SharedFlags): Promise<void> {
  const change = await writing(flags, async (handle, memory) => {
    const { bank } = ownOrShared(flags, handle, memory)
    return bank.restore(await changeId(bank, given, flags))
  })
  if (flags.json === true) return printJson({ change })
  print('Taken back:')
  print(changeLines(change, columns()).join('\n'))
}

/** Finds the whole id of a change by its beginning. */
function changeId(bank: BankHandle, text: string, flags: SharedFlags): Promise<string> {
  return wholeId(text, 'changes', () => bank.history(undefined, { limit: 1_000 }), commandLine('bank', 'history', ...whoseShared(flags)))
}
