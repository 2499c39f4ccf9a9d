import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { defaultProject } from '../scope/scope.ts'
import type { GlobalFlags } from './global-flags.ts'
import { whose } from './next-command.ts'

export interface SharedFlags extends GlobalFlags {
  /** The session that owns the block. */
  readonly session?: string
  /** True for the project's memory, in place of the user's. */
  readonly shared?: boolean
}

type OwnOrShared = Pick<UserMemory, 'bank' | 'blocks' | 'documents' | 'export' | 'import' | 'imports'>

/** Gives the user's own memory, or the project's with --shared. */
export function ownOrShared(flags: SharedFlags, handle: UserMemory, memory: Memory): OwnOrShared {
  return flags.shared === true ? memory.project(flags.project ?? defaultProject) : handle
}

/** Tells whether a project switches off a layer that is on by default. */
export async function isLayerOff(
  memory: Memory,
  layer: 'gists' | 'facts' | 'instructions',
  { project = defaultProject }: GlobalFlags,
): Promise<boolean> {
  return (await memory.project(project).settings.get()).layers?.[layer] === false
}

/** Gives the flags that name the owner, to repeat them in another command. */
export function whoseShared(flags: SharedFlags): string[] {
  return [
    ...(flags.session === undefined ? [] : ['--session', flags.session]),
    ...(flags.shared === true ? ['--shared'] : []),
    ...whose(flags),
  ]
}
