import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { CommandError } from '../command-error.ts'
import { factIdFrom } from '../fact-of.ts'
import { number, repeated, time } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine } from '../next-command.ts'
import { finishWriting, withStore } from '../open-store.ts'
import { type ListedFact, wholeFactLines } from '../render/fact.ts'
import { columns, harmless, print, printJson } from '../terminal.ts'

interface WhenFlags extends GlobalFlags {
  readonly validFrom?: string
  readonly validUntil?: string
  readonly confidence?: number
}

interface AddFlags extends WhenFlags {
  readonly subject?: string
  readonly dependsOn?: readonly string[]
  readonly single?: boolean
  readonly source?: readonly string[]
}

const idHelp = 'the fact, by its id, or by a beginning of it that no other has that holds now (8 characters or more)'
const fromHelp = 'when it became true (default: now)'
const untilHelp = 'until when it holds (default: until further notice)'

/** What changes facts by hand. */
export function addFactEdits(facts: Command): void {
  facts
    .command('add')
    .description('say a fact by hand; of a predicate with one object at a time it ends the one before it')
    .argument('<predicate>', 'what is said: "lives in"')
    .argument('<object>', 'of what: Oslo')
    .option('--subject <name>', 'of whom (default: the user)')
    .option('--valid-from <time>', fromHelp, time)
    .option('--valid-until <time>', untilHelp, time)
    .option('--confidence <n>', 'how sure it is, 0 to 1 (default: 1)', number)
    .option('--single', 'a predicate that is not known has one object at a time')
    .option('--depends-on <id>', 'a fact without which it does not hold; may be repeated', repeated)
    .option('--source <message[:words]>', 'the id of a message that says so, and its words; may be repeated', repeated)
    .action(async (predicate: string, object: string, _flags: unknown, command: Command) =>
      add(predicate, object, command.optsWithGlobals<AddFlags>()),
    )
  facts
    .command('correct')
    .description('put a fact right: it never was as it was said. For what has changed since, add what is new')
    .argument('<id>', idHelp)
    .argument('[object]', 'what is true instead (default: the same, where a flag says what was wrong)')
    .option('--valid-from <time>', 'when it became true (default: as it was)', time)
    .option('--valid-until <time>', 'until when it holds (default: as it was)', time)
    .option('--confidence <n>', 'how sure it is, 0 to 1 (default: 1)', number)
    .action(async (id: string, object: string | undefined, _flags: unknown, command: Command) =>
      correct(id, object, command.optsWithGlobals<WhenFlags>()),
    )
  facts
    .command('retract')
    .description('take a fact back: it never was so; its history tells what was believed')
    .argument('<id>', idHelp)
    .option('--valid-until <time>', 'it was so until then', time)
    .action(async (id: string, _flags: unknown, command: Command) => retract(id, command.optsWithGlobals<WhenFlags>()))
  facts
    .command('merge')
    .description('have a name count as another, in what was said before as well')
    .argument('<name>')
    .argument('<into>', 'the name that it counts as; I: the user')
    .action(async (name: string, into: string, _flags: unknown, command: Command) =>
      merge(name, into, command.optsWithGlobals<GlobalFlags>()),
    )
}

async function add(predicate: string, object: string, flags: AddFlags): Promise<void> {
  const { subject, dependsOn, single, source } = flags
  const others = {
    ...(subject === undefined ? {} : { subject }),
    ...(single === undefined ? {} : { single }),
    ...(source === undefined ? {} : { sources: source.map(sourceOf) }),
  }
  const work = async (handle: UserMemory, memory: Memory): Promise<ListedFact> => {
    const grounds: string[] = []
    for (const id of dependsOn ?? []) grounds.push(await factIdFrom(handle, id, flags))
    return finished(
      memory,
      handle.facts.add({ predicate, object, ...others, ...whenOf(flags), ...(grounds.length === 0 ? {} : { dependsOn: grounds }) }),
    )
  }
  printFact(await withStore(flags, work), flags)
}

/** `<message>` or `<message>:<words>`, as they stand in it. */
function sourceOf(text: string): { message: string; text?: string } {
  const at = text.indexOf(':')
  return at < 0 ? { message: text } : { message: text.slice(0, at), text: text.slice(at + 1) }
}

async function correct(given: string, object: string | undefined, flags: WhenFlags): Promise<void> {
  const changes = { ...(object === undefined ? {} : { object }), ...whenOf(flags) }
  if (Object.keys(changes).length === 0) {
    throw new CommandError('say what is right: an object, --valid-from, --valid-until or --confidence.', {
      code: 'USAGE',
      exitCode: 2,
      next: commandLine('facts', 'correct', '--help'),
    })
  }
  printFact(
    await withStore(flags, async (handle, memory) =>
      finished(memory, handle.facts.correct(await factIdFrom(handle, given, flags), changes)),
    ),
    flags,
  )
}

async function retract(given: string, flags: WhenFlags): Promise<void> {
  const { validUntil } = flags
  const options = validUntil === undefined ? {} : { validUntil }
  printFact(
    await withStore(flags, async (handle, memory) =>
      finished(memory, handle.facts.retract(await factIdFrom(handle, given, flags), options)),
    ),
    flags,
  )
}

async function merge(name: string, into: string, flags: GlobalFlags): Promise<void> {
  await withStore(flags, (handle) => handle.facts.merge(name, into))
  if (flags.json === true) return printJson({ name, into })
  print(`${harmless(name)} counts as ${harmless(into)} from now on, in what was said before as well.`)
}

function whenOf({ validFrom, validUntil, confidence }: WhenFlags): Omit<WhenFlags, keyof GlobalFlags> {
  return {
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
    ...(confidence === undefined ? {} : { confidence }),
  }
}

async function finished(memory: Memory, work: Promise<ListedFact>): Promise<ListedFact> {
  const fact = await work
  await finishWriting(memory)
  return fact
}

function printFact(fact: ListedFact, flags: GlobalFlags): void {
  if (flags.json === true) return printJson({ fact })
  print(wholeFactLines(fact, [], columns()).join('\n'))
}
