import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { defaultProject } from '../scope/scope.ts'
import type { GlobalFlags } from './global-flags.ts'
import { whose } from './next-command.ts'

export interface SharedFlags extends GlobalFlags {
  /** The session whose own it is. */
  readonly session?: string
  /** The project's rather than the user's own. */
  readonly shared?: boolean
}

type OwnOrShared = Pick<UserMemory, 'bank' | 'blocks' | 'documents'>

/** The user's own, or the project's. */
export function ownOrShared(flags: SharedFlags, handle: UserMemory, memory: Memory): OwnOrShared {
  return flags.shared === true ? memory.project(flags.project ?? defaultProject) : handle
}

/** Whether a project switches a layer off that is on where nothing is said. */
export async function isLayerOff(memory: Memory, layer: 'gists' | 'facts', { project = defaultProject }: GlobalFlags): Promise<boolean> {
  return (await memory.project(project).settings.get()).layers?.[layer] === false
}

/** The flags that say whose it is, to repeat in another command. */
export function whoseShared(flags: SharedFlags): string[] {
  return [
    ...(flags.session === undefined ? [] : ['--session', flags.session]),
    ...(flags.shared === true ? ['--shared'] : []),
    ...whose(flags),
  ]
}
