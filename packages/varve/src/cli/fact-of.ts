import type { UserMemory } from '../memory/user-memory.ts'
import { CommandError } from './command-error.ts'
import type { GlobalFlags } from './global-flags.ts'
import { commandLine, whose } from './next-command.ts'

const mostFacts = 10_000
const wholeId = 36
/** Ids begin with the time at which a fact was written: shorter beginnings say next to nothing. */
const shortestId = 8

/**
 * The whole id that some text begins, among the facts that hold now. What begins none is given back as it is: the
 * memory says that there is no such fact.
 */
export async function factIdFrom({ facts }: UserMemory, text: string, flags: GlobalFlags): Promise<string> {
  const start = text.toLowerCase()
  if (start.length >= wholeId || start.length < shortestId || !/^[\da-f-]+$/.test(start)) return text
  const found = new Set((await facts.list({ limit: mostFacts })).map(({ id }) => id).filter((id) => id.startsWith(start)))
  if (found.size <= 1) return found.values().next().value ?? text
  throw new CommandError(`${text} begins the ids of ${found.size} facts: give more of it.`, {
    code: 'USAGE',
    exitCode: 2,
    next: commandLine('facts', ...whose(flags)),
  })
}
