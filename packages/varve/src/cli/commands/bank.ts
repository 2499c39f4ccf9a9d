import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import { bankOperations } from '../../operations/bank.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { BankHandle } from '../bank-entry.ts'
import { commandLine, whose, whoseStore, switchingOn } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { ownOrShared, type SharedFlags, whoseShared } from '../own-or-shared.ts'
import { defaultProject } from '../../scope/scope.ts'
import { wholeList } from '../whole-list.ts'
import { entryLines, statsLines } from '../render/bank.ts'
import { printRecalled } from '../render/recalled.ts'
import { nextUpkeep } from '../render/upkeep.ts'
import { columns, counted, note, print, printJson, printParts, printWhole } from '../terminal.ts'
import { addBankEdits } from './bank-edits.ts'
import { addBankHistory } from './bank-history.ts'
import { addBankSharing } from './bank-sharing.ts'

const after = `
Conversations are summed up by day, week, month and year. Recent talk is shown
finely, old talk coarsely, within a budget of tokens. Without --shared it is the
user's own bank.

  $ varve settings set layers.bank on
  $ varve upkeep
  $ varve bank --max-tokens 500
  $ varve bank entries --granularity month --shared --project kiosk`

export function addBank(program: Command): void {
  const bank = addCommand(program, 'bank', bankOperations.render, render, {
    about: 'the ladder of summaries: prints it as a prompt gets it; lists, searches, corrects and shares its entries',
  })
    .option('--shared', "the project's shared bank")
    .addHelpText('after', after)
  addCommand(bank, 'entries', bankOperations.entries, entries, { about: 'lists the entries with their ids, finest and newest first' })
  addCommand(bank, 'stats', bankOperations.stats, stats)
  addCommand(bank, 'search <query...>', bankOperations.search, search, { about: 'finds entries by their text' })
  addBankEdits(bank)
  addBankHistory(bank)
  addBankSharing(bank)
}

async function render({ maxTokens }: InputOf<typeof bankOperations.render>, flags: SharedFlags): Promise<void> {
  const { rendered, empty } = await withBank(flags, async (bank, memory) => {
    const rendered = await bank.render(maxTokens)
    const { entries } = await bank.stats()
    const isEmpty = Object.values(entries).every((count) => count === 0)
    return { rendered, empty: isEmpty ? await whyEmpty(memory, flags) : undefined }
  })
  if (flags.json === true) return printJson(rendered)
  if (rendered.text !== '') printWhole(rendered.text)
  if (empty !== undefined) return note(empty)
  const left = rendered.omitted === 0 ? '' : `; ${counted(rendered.omitted, 'older conversation')} left out`
  note(
    `${counted(rendered.tokens, 'token')} of at most ${rendered.maxTokens.toLocaleString('en')}, ` +
      `${counted(rendered.entries.length, 'entry', 'entries')}${left}`,
  )
}

/** Says that the bank is empty, and gives the next command. */
async function whyEmpty(memory: Memory, flags: SharedFlags): Promise<string> {
  const project = memory.project(flags.project ?? defaultProject)
  const isOn = flags.shared === true ? (await project.bank.sharing()).on : (await project.settings.get()).layers?.bank === true
  if (isOn)
    return `The bank is empty: nothing was read for it yet.\n${nextUpkeep((await memory.upkeep.status()).waiting, whoseStore(flags))}`
  const next = flags.shared === true ? commandLine('bank', 'share', 'on', ...whose(flags)) : switchingOn('bank', flags)
  return `The bank is empty, and it is off in this project.\nNext: ${next}`
}

async function entries({ limit, ...of }: InputOf<typeof bankOperations.entries>, flags: SharedFlags): Promise<void> {
  const found = await withBank(flags, (bank) => wholeList(limit, (options) => bank.entries({ ...options, ...of })))
  if (flags.json === true) return printJson({ entries: found })
  if (found.length === 0) return note(`No entry.\nNext: ${commandLine('bank', ...whoseShared(flags))}`)
  printParts(found.map((entry) => entryLines(entry, columns())))
}

async function stats(_input: object, flags: SharedFlags): Promise<void> {
  const found = await withBank(flags, (bank) => bank.stats())
  if (flags.json === true) return printJson(found)
  for (const line of statsLines(found)) print(line)
}

async function search({ query, ...options }: InputOf<typeof bankOperations.search>, flags: SharedFlags): Promise<void> {
  printRecalled(await withBank(flags, (bank) => bank.search(query, options)), flags, 'No match: no entry says any of that.')
}

function withBank<Result>(flags: SharedFlags, use: (bank: BankHandle, memory: Memory) => Promise<Result>): Promise<Result> {
  return withStore(flags, (handle, memory) => use(ownOrShared(flags, handle, memory).bank, memory))
}
