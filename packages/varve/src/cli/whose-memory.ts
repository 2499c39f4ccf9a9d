import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { defaultProject } from '../scope/scope.ts'
import type { GlobalFlags } from './global-flags.ts'
import { harmlessLine } from './terminal.ts'

/**
 * Puts a warning in the words of the command line. The library speaks of handles and options.
 *
 * The words say that there are others, and neither who nor how many: an agent that runs the command for one user reads
 * them too. `varve` alone on a terminal names them.
 */
export function inOwnWords(warning: string, { project = defaultProject }: GlobalFlags): string {
  if (!warning.startsWith('ISOLATION_WARNING:')) return warning
  return (
    `no --user was given, so this was the memory of the anonymous user. Project ${harmlessLine(project)} has named users: name one with ` +
    '--user or VARVE_USER. On a terminal, varve alone lists them.'
  )
}

/** Tells whether nothing was ever stored for the user of a handle. */
export async function isUnheard(handle: UserMemory): Promise<boolean> {
  return (await handle.sessions.list({ limit: 1 })).length === 0
}

/** Says that no message is stored for the meant user, where the store has others: a name may be missing or misspelt. */
export async function elsewhere(memory: Memory, { project = defaultProject, user }: GlobalFlags): Promise<string | undefined> {
  const projects = await memory.projects.list({ limit: 2 })
  const isHere = projects.some(({ name }) => name === project)
  const others = isHere ? (await memory.project(project).users({ limit: 2 })).filter((name) => name !== user) : []
  if (others.length === 0 && projects.every(({ name }) => name === project)) return undefined
  const who = user === undefined ? 'the anonymous user' : `user ${harmlessLine(user)}`
  return (
    `no message is stored for ${who} in project ${harmlessLine(project)}, and this store has other memories: name a user with --user or ` +
    'VARVE_USER, a project with --project or VARVE_PROJECT. On a terminal, varve alone lists them.'
  )
}
