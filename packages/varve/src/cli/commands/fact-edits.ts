import type { Command } from 'commander'
import type { UserMemory } from '../../memory/user-memory.ts'
import { factOperations } from '../../operations/facts.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import { factIdFrom, idHelp } from '../fact-of.ts'
import { repeated } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { type ListedFact, wholeFactLines } from '../render/fact.ts'
import { columns, harmlessLine, minute, print, printJson } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'

type AddFlags = GlobalFlags & { readonly source?: readonly string[] }

/** Adds the commands that change facts by hand. */
export function addFactEdits(facts: Command): void {
  addCommand(facts, 'add <predicate> <object>', factOperations.add, add, {
    about: 'adds a fact by hand; where the predicate has one object at a time, it ends the fact before it',
    except: ['sources', 'writer', 'during'],
  }).option('--source <message[:words]>', 'the id of a message that says so, and its words; may be repeated', repeated)
  addCommand(facts, 'correct <id> [object]', factOperations.correct, correct, {
    about: 'corrects a fact that was never true as it was said. If it has changed since, add the new fact',
    except: ['writer', 'during'],
    help: { id: idHelp, object: 'the right object (default: the same, where a flag corrects the fact)' },
  })
  addCommand(facts, 'retract <id>', factOperations.retract, retract, {
    about: 'takes back a fact that was never true; its history keeps it',
    except: ['writer'],
    help: { id: idHelp },
  })
  addCommand(facts, 'restore <id>', factOperations.restore, restore, {
    about: 'takes back the last correction or retraction of a fact by hand',
    help: { id: idHelp },
  })
  addCommand(facts, 'merge <entity> <into>', factOperations.merge, merge)
  addCommand(facts, 'merges', factOperations.merges, merges)
  addCommand(facts, 'unmerge <id>', factOperations.unmerge, unmerge)
}

async function add(
  { dependsOn = [], ...fact }: InputOf<typeof factOperations.add, 'sources' | 'writer' | 'during'>,
  { source = [], ...flags }: AddFlags,
) {
  await change(flags, async (handle) => {
    const grounds: string[] = []
    for (const id of dependsOn) grounds.push(await factIdFrom(handle, id, flags))
    return handle.facts.add({ ...fact, dependsOn: grounds, sources: source.map(sourceOf) })
  })
}

/** Reads `<message>` or `<message>:<words>`. The words stand in the message. */
function sourceOf(text: string): { message: string; text?: string } {
  const at = text.indexOf(':')
  return at < 0 ? { message: text } : { message: text.slice(0, at), text: text.slice(at + 1) }
}

async function correct({ id, ...changes }: InputOf<typeof factOperations.correct, 'writer' | 'during'>, flags: GlobalFlags): Promise<void> {
  if (Object.keys(changes).length === 0) {
    throw wrongUsage(
      'give a correction: an object, --valid-from, --valid-until or --confidence.',
      commandLine('facts', 'correct', '--help'),
    )
  }
  await change(flags, async (handle) => handle.facts.correct(await factIdFrom(handle, id, flags), changes))
}

async function restore({ id }: InputOf<typeof factOperations.restore>, flags: GlobalFlags): Promise<void> {
  await change(flags, async (handle) => handle.facts.restore(await factIdFrom(handle, id, flags)))
}

async function merges({ limit }: InputOf<typeof factOperations.merges>, flags: GlobalFlags): Promise<void> {
  const found = await withStore(flags, (handle) => wholeList(limit, (options) => handle.facts.merges(options)))
  if (flags.json === true) return printJson({ merges: found })
  for (const one of found) print(mergeLine(one))
}

async function unmerge({ id }: InputOf<typeof factOperations.unmerge>, flags: GlobalFlags): Promise<void> {
  const merge = await withStore(flags, (handle) => handle.facts.unmerge(id))
  if (flags.json === true) return printJson({ merge })
  print(mergeLine(merge))
}

type ListedMerge = Awaited<ReturnType<UserMemory['facts']['merges']>>[number]

/** Shows a merge of names: who made it and when, and its id. */
function mergeLine({ id, entity, into, by, at, undoneAt }: ListedMerge): string {
  const names = entity === undefined || into === undefined ? 'names that were forgotten' : `${entity} counts as ${into}`
  const state = undoneAt === undefined ? '' : `, taken back ${minute(undoneAt)}`
  return `${minute(at)}  ${harmlessLine(names)}, by ${harmlessLine(by)}${state}  id ${id}`
}

async function retract({ id, ...options }: InputOf<typeof factOperations.retract, 'writer'>, flags: GlobalFlags): Promise<void> {
  await change(flags, async (handle) => handle.facts.retract(await factIdFrom(handle, id, flags), options))
}

async function merge({ entity: name, into }: InputOf<typeof factOperations.merge>, flags: GlobalFlags): Promise<void> {
  await withStore(flags, (handle) => handle.facts.merge(name, into))
  if (flags.json === true) return printJson({ name, into })
  print(`${harmlessLine(name)} counts as ${harmlessLine(into)} from now on, in earlier facts too.`)
}

/** Writes a fact, waits a little for its vector, and prints it. */
async function change(flags: GlobalFlags, work: (handle: UserMemory) => Promise<ListedFact>): Promise<void> {
  const fact = await writing(flags, work)
  if (flags.json === true) return printJson({ fact })
  print(wholeFactLines(fact, [], columns()).join('\n'))
}
