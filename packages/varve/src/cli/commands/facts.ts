import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { factOperations } from '../../operations/facts.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { factIdFrom, idHelp } from '../fact-of.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose, whoseStore, switchingOn } from '../next-command.ts'
import { noFact } from '../no-fact.ts'
import { withStore } from '../open-store.ts'
import { isLayerOff } from '../own-or-shared.ts'
import { factLines, pastLines, subjectLines, wholeFactLines } from '../render/fact.ts'
import { printRecalled } from '../render/recalled.ts'
import { unreadNote } from '../render/upkeep.ts'
import { columns, harmlessLine, note, paint, print, printJson } from '../terminal.ts'
import { addFactEdits } from './fact-edits.ts'

const after = `
Facts are read from the words of persons, by a program that has the store open
or by varve upkeep. Times are ISO 8601 with their offset, or a UTC day. I, me and
user name the user.

  $ varve facts --subject "spare key" --valid-at 2026-04-01
  $ varve facts history "spare key"
  $ varve facts add "works at" "the ferry office" --subject Bo
  $ varve facts correct 01a203b1-93dc-7725-a00e-f547b38a56b2 "the harbour office"`

export function addFacts(program: Command): void {
  const facts = addCommand(program, 'facts', factOperations.query, list, {
    about: 'known facts by subject: lists those of now, or of another time; shows, adds, corrects or takes back a fact',
  }).addHelpText('after', after)
  addCommand(facts, 'list', factOperations.query, list, { about: 'lists the facts, as the command alone does' })
  addCommand(facts, 'show <id>', { input: factOperations.retract.input }, show, {
    about: 'prints a fact with all of its sources',
    help: { id: idHelp },
    except: ['validUntil', 'writer'],
  })
  addCommand(facts, 'history <subject> [predicate]', historyOperation, history, {
    about: 'lists all facts ever known of a subject, or of the same subject and predicate as a fact: ended and retracted ones too',
    help: { subject: "a name, or a fact's id" },
  })
  addCommand(facts, 'recall <query...>', factOperations.recall, recall)
  addCommand(facts, 'around <entity>', factOperations.around, around)
  addFactEdits(facts)
}

/** The fields of a history. It is asked for by its subject, or by the id of a fact. */
const historyOperation = {
  name: factOperations.history.name,
  input: () => ({
    subject: factOperations.around.input().entity,
    predicate: factOperations.query.input().predicate,
    limit: factOperations.history.input().limit,
  }),
}

async function list(query: InputOf<typeof factOperations.query>, flags: GlobalFlags): Promise<void> {
  const { facts, waiting, isOff, isSilent, status, none } = await withStore(flags, async (handle, memory) => ({
    ...(await found(handle, query, flags)),
    waiting: await handle.gists.pending(),
    isOff: await isLayerOff(memory, 'facts', flags),
    isSilent: (await handle.sessions.list({ limit: 1 })).length === 0,
    status: await memory.upkeep.status(),
  }))
  if (flags.json === true) return printJson({ facts })
  if (facts.length > 0) print(subjectLines(facts, { width: columns(), ids: true }).join('\n'))
  if (isOff) return note(`Facts are off in this project: nothing is read for them.\nNext: ${switchingOn('facts', flags)}`)
  if (waiting > 0) return note(unreadNote(waiting, status, whoseStore(flags)))
  if (facts.length > 0) return
  if (none !== undefined) return note(none)
  if (isSilent) return note('No fact: nothing was said here yet.')
  note(`No fact: no message here states one plainly enough.\nNext: ${commandLine('facts', 'add', '--help')}`)
}

async function found(handle: UserMemory, query: InputOf<typeof factOperations.query>, flags: GlobalFlags) {
  const facts = await handle.facts.query(query)
  const isNarrowed = Object.keys(query).some((key) => key !== 'limit')
  return { facts, none: isNarrowed && facts.length === 0 ? await noFact(handle, 'facts', query, flags) : undefined }
}

async function show({ id }: { readonly id: string }, flags: GlobalFlags): Promise<void> {
  const { fact, others } = await withStore(flags, (handle) => standing(handle, id, flags))
  if (flags.json === true) return printJson({ fact })
  print(wholeFactLines(fact, others, columns()).join('\n'))
}

/** Finds a fact as it stands, or as it stood last, with the other facts of its history. */
async function standing(handle: UserMemory, given: string, flags: GlobalFlags) {
  const id = await factIdFrom(handle, given, flags)
  const others = await handle.facts.history(id)
  const found = others.filter((fact) => fact.id === id)
  const fact = found.find(({ supersededAt }) => supersededAt === undefined) ?? found.findLast(({ retracted }) => !retracted) ?? found.at(-1)
  if (fact === undefined) throw new NotFound({ kind: 'fact', id })
  return { fact, others }
}

async function history({ limit, ...asked }: InputOf<typeof historyOperation>, flags: GlobalFlags): Promise<void> {
  const { subject } = asked
  const { facts, none } = await withStore(flags, async (handle) => {
    const facts = await handle.facts.history(isId(subject) ? subject : asked, limit === undefined ? {} : { limit })
    return { facts, none: facts.length === 0 ? await noFact(handle, 'history', asked, flags) : '' }
  })
  if (flags.json === true) return printJson({ facts })
  if (facts.length === 0) return note(none)
  const width = columns()
  for (const [place, [subject, ofIt]] of [...Map.groupBy(facts, (fact) => fact.subject)].entries()) {
    if (place > 0) print('')
    print(paint('bold', harmlessLine(subject)))
    for (const fact of ofIt) print(pastLines(fact, facts, { width, ids: true }).join('\n'))
  }
}

function isId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

async function recall({ query, ...options }: InputOf<typeof factOperations.recall>, flags: GlobalFlags): Promise<void> {
  const recalled = await withStore(flags, (handle) => handle.facts.recall(query, options))
  printRecalled(recalled, flags, 'No match: no fact that holds says any of that.')
}

async function around({ entity, ...options }: InputOf<typeof factOperations.around>, flags: GlobalFlags): Promise<void> {
  const facts = await withStore(flags, (handle) => handle.facts.around(entity, options))
  if (flags.json === true) return printJson({ facts })
  if (facts.length === 0) return note(`No fact: nothing holds of ${harmlessLine(entity)}.\nNext: ${commandLine('facts', ...whose(flags))}`)
  const width = columns()
  for (const [place, [hops, found]] of [...Map.groupBy(facts, (fact) => fact.hops)].entries()) {
    if (place > 0) print('')
    print(paint('bold', hops === 1 ? `of ${harmlessLine(entity)}` : `${hops} steps away`))
    print(found.flatMap((fact) => factLines(fact, { width, ids: true }, true)).join('\n'))
  }
}
