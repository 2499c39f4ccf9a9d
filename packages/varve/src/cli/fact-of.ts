import type { UserMemory } from '../memory/user-memory.ts'
import type { GlobalFlags } from './global-flags.ts'
import { commandLine, whose } from './next-command.ts'
import { wholeId } from './whole-id.ts'

export const idHelp = "the fact's id, or a beginning of it (8 characters or more) that no other fact of now has"

const factsAtOnce = 10_000

/** Finds the whole id of a fact that holds now by its beginning. */
export async function factIdFrom({ facts }: UserMemory, text: string, flags: GlobalFlags): Promise<string> {
  return wholeId(text, 'facts', () => facts.list({ limit: factsAtOnce }), commandLine('facts', ...whose(flags)))
}
