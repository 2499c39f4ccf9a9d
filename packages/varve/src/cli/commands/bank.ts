import { type Command, Option } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { type BankHandle, type ListedBankEntry, type BankFlags, bankOf, whoseBank } from '../bank-of.ts'
import { defaultProject } from '../../scope/scope.ts'
import { number } from '../flag-values.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { wholeList } from '../whole-list.ts'
import { entryLines, statsLines } from '../render/bank.ts'
import { printRecalled } from '../render/recalled.ts'
import { nextUpkeep } from '../render/upkeep.ts'
import { columns, counted, harmless, note, print, printJson } from '../terminal.ts'
import { addBankEdits } from './bank-edits.ts'
import { addBankSharing } from './bank-sharing.ts'
import { shell } from '../shell.ts'

interface RenderFlags extends BankFlags {
  readonly maxTokens?: number
}

interface LimitFlags extends BankFlags {
  readonly limit?: number
}

interface EntriesFlags extends LimitFlags {
  readonly granularity?: ListedBankEntry['granularity']
}

const after = `
Conversations are summed up by day, week, month and year: what is shown is fine
for the recent, coarse for the old, and fits a budget. Without --shared it is the
user's own bank.

  $ varve settings set layers.bank on
  $ varve upkeep
  $ varve bank --max-tokens 500
  $ varve bank entries --granularity month --shared --project kiosk`

export function addBank(program: Command): void {
  const bank = program
    .command('bank')
    .description('the ladder of summaries: print what a prompt gets of it; look through it, correct it, share it')
    .option('--shared', "the project's shared bank")
    .option('--max-tokens <n>', "the budget in exact o200k_base tokens (default: the project's bank.maxTokens)", number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => render(command.optsWithGlobals<RenderFlags>()))
  bank
    .command('entries')
    .description('list the entries with their ids, finest and newest first')
    .addOption(
      new Option('--granularity <granularity>', 'only of this granularity').choices(['conversation', 'day', 'week', 'month', 'year']),
    )
    .option('--limit <n>', 'how many at most (default: 1000)', number)
    .action(async (_flags: unknown, command: Command) => entries(command.optsWithGlobals<EntriesFlags>()))
  bank
    .command('stats')
    .description('how many entries there are, and what is rendered of them')
    .action(async (_flags: unknown, command: Command) => stats(command.optsWithGlobals<BankFlags>()))
  bank
    .command('search')
    .description('find entries by what they say')
    .argument('<question...>', 'what to look for')
    .option('--limit <n>', 'how many hits at most (default: 10)', number)
    .action(async (question: readonly string[], _flags: unknown, command: Command) =>
      search(question.join(' '), command.optsWithGlobals<LimitFlags>()),
    )
  addBankEdits(bank)
  addBankSharing(bank)
}

async function render(flags: RenderFlags): Promise<void> {
  const { rendered, empty } = await withBank(flags, async (bank, memory) => {
    const rendered = await bank.render(flags.maxTokens)
    const { entries } = await bank.stats()
    const isEmpty = Object.values(entries).every((count) => count === 0)
    return { rendered, empty: isEmpty ? await whyEmpty(memory, flags) : undefined }
  })
  if (flags.json === true) return printJson(rendered)
  // Byte for byte into a pipe or a file; a terminal gets nothing that it would obey.
  if (rendered.text !== '') print(shell().stdout.isTTY ? harmless(rendered.text) : rendered.text)
  if (empty !== undefined) return note(empty)
  const left = rendered.omitted === 0 ? '' : `; ${counted(rendered.omitted, 'older conversation')} left out`
  note(
    `${counted(rendered.tokens, 'token')} of at most ${rendered.maxTokens.toLocaleString('en')}, ` +
      `${counted(rendered.entries.length, 'entry', 'entries')}${left}`,
  )
}

/** That there are no entries, and what to do about it. */
async function whyEmpty(memory: Memory, flags: BankFlags): Promise<string> {
  const project = memory.project(flags.project ?? defaultProject)
  const isOn = flags.shared === true ? (await project.bank.sharing()).on : (await project.settings.get()).layers?.bank === true
  if (isOn)
    return `The bank is empty: nothing was read for it yet.\n${nextUpkeep((await memory.upkeep.status()).waiting, storeOnly(flags))}`
  const switchedOn = flags.shared === true ? ['bank', 'share', 'on'] : ['settings', 'set', 'layers.bank', 'on']
  return `The bank is empty, and it is off in this project.\nNext: ${commandLine(...switchedOn, ...whose(flags))}`
}

function storeOnly({ store }: BankFlags): string[] {
  return whose(store === undefined ? {} : { store })
}

async function entries(flags: EntriesFlags): Promise<void> {
  const { granularity, limit } = flags
  const of = granularity === undefined ? {} : { granularity }
  const found = await withBank(flags, (bank) => wholeList(limit, (options) => bank.entries({ ...options, ...of })))
  if (flags.json === true) return printJson({ entries: found })
  if (found.length === 0) return note(`No entry.\nNext: ${commandLine('bank', ...whoseBank(flags))}`)
  const width = columns()
  print(found.map((entry) => entryLines(entry, width).join('\n')).join('\n\n'))
}

async function stats(flags: BankFlags): Promise<void> {
  const found = await withBank(flags, (bank) => bank.stats())
  if (flags.json === true) return printJson(found)
  for (const line of statsLines(found)) print(line)
}

async function search(question: string, flags: LimitFlags): Promise<void> {
  const options = flags.limit === undefined ? {} : { limit: flags.limit }
  printRecalled(await withBank(flags, (bank) => bank.search(question, options)), flags, 'No match: no entry says any of that.')
}

function withBank<Result>(flags: BankFlags, use: (bank: BankHandle, memory: Memory) => Promise<Result>): Promise<Result> {
  return withStore(flags, (handle: UserMemory, memory) => use(bankOf(flags, handle, memory), memory))
}
