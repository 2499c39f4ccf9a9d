import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { NotFound } from '../../errors/not-found.ts'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { defaultProject } from '../../scope/scope.ts'
import { factIdFrom } from '../fact-of.ts'
import { number, time } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { type UnmatchedRequest, noFact } from '../no-fact.ts'
import { withStore } from '../open-store.ts'
import { type ListedFact, factLines, pastLines, subjectLines, wholeFactLines } from '../render/fact.ts'
import { printRecalled } from '../render/recalled.ts'
import { unreadNote } from '../render/upkeep.ts'
import { columns, harmless, note, paint, print, printJson } from '../terminal.ts'
import { addFactEdits } from './fact-edits.ts'

interface TimeFlags extends GlobalFlags {
  readonly validAt?: string
  readonly asOf?: string
  readonly limit?: number
}

interface ListFlags extends TimeFlags {
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
}

interface AroundFlags extends TimeFlags {
  readonly hops?: number
}

const listFlags = ['subject', 'predicate', 'object', 'validAt', 'asOf', 'limit'] as const

const after = `
Facts are read from what persons said: by a program that has the store open, or
by varve upkeep. Times are ISO 8601 with their offset, or a UTC day. I, me and
user name the user.

  $ varve facts --subject "spare key" --valid-at 2026-04-01
  $ varve facts history "spare key"
  $ varve facts add "works at" "the ferry office" --subject Bo
  $ varve facts correct 01a203b1-93dc-7725-a00e-f547b38a56b2 "the harbour office"`

export function addFacts(program: Command): void {
  const facts = program
    .command('facts')
    .description('what is known, by subject: what holds now, or at another time; show, add, correct or take back a fact')
    .option('--subject <name>', 'only of this subject')
    .option('--predicate <words>', 'only with this predicate, in words as facts shows them, or others that mean the same')
    .option('--object <words>', 'only with this object')
    .option('--valid-at <time>', 'true at this time (default: at --as-of, else now)', time)
    .option('--as-of <time>', 'as it was believed at this time (default: now)', time)
    .option('--limit <n>', 'how many at most (default: 50; around: 100; recall: 10)', number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<ListFlags>()))
  facts
    .command('list')
    .description('what holds, by subject: the same as without it')
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<ListFlags>()))
  facts
    .command('show')
    .description('print a fact with all of its sources')
    .argument('<id>', idHelp)
    .action(async (id: string, _flags: unknown, command: Command) => show(id, command.optsWithGlobals<GlobalFlags>()))
  facts
    .command('history')
    .description('all that was believed of a subject, or of what a fact is about: what ended or was taken back too')
    .argument('<subject>', "a name, or a fact's id")
    .argument('[predicate]', 'only with this predicate')
    .action(async (of: string, predicate: string | undefined, _flags: unknown, command: Command) =>
      history(of, predicate, command.optsWithGlobals<GlobalFlags>()),
    )
  facts
    .command('recall')
    .description('find facts by their words and their meaning')
    .argument('<question...>', 'what to look for')
    .action(async (question: readonly string[], _flags: unknown, command: Command) =>
      recall(question.join(' '), command.optsWithGlobals<TimeFlags>()),
    )
  facts
    .command('around')
    .description('what holds of a name, of what that speaks of, and so on')
    .argument('<name>')
    .option('--hops <n>', 'how many steps, 1 to 4 (default: 2)', number)
    .action(async (name: string, _flags: unknown, command: Command) => around(name, command.optsWithGlobals<AroundFlags>()))
  addFactEdits(facts)
  facts.hook('preAction', (_, action) => refuseUnheeded(facts, action))
}

/** Which of the list's flags a subcommand heeds; the others it would pass over in silence. */
const heeded: Readonly<Record<string, readonly string[]>> = {
  facts: listFlags,
  list: listFlags,
  recall: ['validAt', 'asOf', 'limit'],
  around: ['validAt', 'asOf', 'limit'],
}

function refuseUnheeded(facts: Command, action: Command): void {
  const known = [...(heeded[action.name()] ?? []), ...action.options.map((option) => option.attributeName())]
  const unheeded = facts.options.find(
    (option) => facts.getOptionValueSource(option.attributeName()) === 'cli' && !known.includes(option.attributeName()),
  )
  if (action === facts || unheeded === undefined) return
  throw new CommandError(`varve facts ${action.name()} does not know ${unheeded.long ?? 'this flag'}.`, {
    code: 'USAGE',
    exitCode: 2,
    next: commandLine('facts', action.name(), '--help'),
  })
}

const idHelp = 'the fact, by its id, or by a beginning of it that no other has that holds now (8 characters or more)'

async function list(flags: ListFlags): Promise<void> {
  const { subject, predicate, object } = flags
  const query = {
    ...timesOf(flags),
    ...(subject === undefined ? {} : { subject }),
    ...(predicate === undefined ? {} : { predicate }),
    ...(object === undefined ? {} : { object }),
  }
  const { facts, waiting, isOff, isSilent, status, none } = await withStore(flags, async (handle, memory) => ({
    ...(await found(handle, query, flags)),
    waiting: await handle.gists.pending(),
    isOff: await areOff(memory, flags),
    isSilent: (await handle.sessions.list({ limit: 1 })).length === 0,
    status: await memory.upkeep.status(),
  }))
  if (flags.json === true) return printJson({ facts })
  if (facts.length > 0) print(subjectLines(facts, { width: columns(), ids: true }).join('\n'))
  if (isOff) return noteOff(flags)
  if (waiting > 0) return note(unreadNote(waiting, status, whose(storeOnly(flags))))
  if (facts.length > 0) return
  if (none !== undefined) return note(none)
  if (isSilent) return note('No fact: nothing was said here yet.')
  note(`No fact: nothing that was said here is plain enough to be one.\nNext: ${commandLine('facts', 'add', '--help')}`)
}

async function found(
  handle: UserMemory,
  query: Parameters<UserMemory['facts']['query']>[0] & UnmatchedRequest,
  flags: GlobalFlags,
): Promise<{ facts: readonly ListedFact[]; none: string | undefined }> {
  const facts = await handle.facts.query(query)
  const isNarrowed = Object.keys(query).some((key) => key !== 'limit')
  return { facts, none: isNarrowed && facts.length === 0 ? await noFact(handle, 'facts', query, flags) : undefined }
}

async function areOff(memory: Memory, { project = defaultProject }: GlobalFlags): Promise<boolean> {
  return (await memory.project(project).settings.get()).layers?.facts === false
}

function noteOff({ user: _user, ...flags }: GlobalFlags): void {
  note(
    `Facts are off in this project: nothing is read for them.\nNext: ` +
      `${commandLine('settings', 'set', 'layers.facts', 'on', ...whose(flags))}`,
  )
}

function storeOnly({ store }: GlobalFlags): GlobalFlags {
  return store === undefined ? {} : { store }
}

function timesOf({ validAt, asOf, limit }: TimeFlags): Omit<TimeFlags, keyof GlobalFlags> {
  return {
    ...(validAt === undefined ? {} : { validAt }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(limit === undefined ? {} : { limit }),
  }
}

async function show(given: string, flags: GlobalFlags): Promise<void> {
  const { fact, others } = await withStore(flags, (handle) => standing(handle, given, flags))
  if (flags.json === true) return printJson({ fact })
  print(wholeFactLines(fact, others, columns()).join('\n'))
}

/** As it stands, or stood last; and what else was believed of it. */
async function standing(
  handle: UserMemory,
  given: string,
  flags: GlobalFlags,
): Promise<{ fact: ListedFact; others: readonly ListedFact[] }> {
  const id = await factIdFrom(handle, given, flags)
  const others = await handle.facts.history(id)
  const found = others.filter((fact) => fact.id === id)
  const fact = found.find(({ supersededAt }) => supersededAt === undefined) ?? found.findLast(({ retracted }) => !retracted) ?? found.at(-1)
  if (fact === undefined) throw new NotFound({ kind: 'fact', id })
  return { fact, others }
}

async function history(of: string, predicate: string | undefined, flags: GlobalFlags): Promise<void> {
  const asked = { subject: of, ...(predicate === undefined ? {} : { predicate }) }
  const { facts, none } = await withStore(flags, async (handle) => {
    const facts = await handle.facts.history(isId(of) ? of : asked)
    return { facts, none: facts.length === 0 ? await noFact(handle, 'history', asked, flags) : '' }
  })
  if (flags.json === true) return printJson({ facts })
  if (facts.length === 0) return note(none)
  const width = columns()
  for (const [place, [subject, ofIt]] of [...Map.groupBy(facts, (fact) => fact.subject)].entries()) {
    if (place > 0) print('')
    print(paint('bold', harmless(subject)))
    for (const fact of ofIt) print(pastLines(fact, facts, { width, ids: true }).join('\n'))
  }
}

function isId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

async function recall(question: string, flags: TimeFlags): Promise<void> {
  printRecalled(
    await withStore(flags, (handle) => handle.facts.recall(question, timesOf(flags))),
    flags,
    'No match: no fact that holds says any of that.',
  )
}

async function around(name: string, flags: AroundFlags): Promise<void> {
  const options = { ...timesOf(flags), ...(flags.hops === undefined ? {} : { hops: flags.hops }) }
  const facts = await withStore(flags, (handle) => handle.facts.around(name, options))
  if (flags.json === true) return printJson({ facts })
  if (facts.length === 0) return note(`No fact: nothing holds of ${harmless(name)}.\nNext: ${commandLine('facts', ...whose(flags))}`)
  const width = columns()
  for (const [place, [hops, found]] of [...Map.groupBy(facts, (fact) => fact.hops)].entries()) {
    if (place > 0) print('')
    print(paint('bold', hops === 1 ? `of ${harmless(name)}` : `${hops} steps away`))
    print(found.flatMap((fact) => factLines(fact, { width, ids: true }, true)).join('\n'))
  }
}
