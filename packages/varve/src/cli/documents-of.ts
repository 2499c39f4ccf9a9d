import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { defaultProject } from '../scope/scope.ts'
import type { GlobalFlags } from './global-flags.ts'
import { whose } from './next-command.ts'

export type DocumentsHandle = UserMemory['documents']

export interface DocumentFlags extends GlobalFlags {
  /** The project's documents rather than the user's own. */
  readonly shared?: boolean
}

export function documentsOf(flags: DocumentFlags, handle: UserMemory, memory: Memory): DocumentsHandle {
  return flags.shared === true ? memory.project(flags.project ?? defaultProject).documents : handle.documents
}

/** The flags that say whose documents they are, to repeat in another command. */
export function whoseDocuments(flags: DocumentFlags): string[] {
  return [...(flags.shared === true ? ['--shared'] : []), ...whose(flags)]
}
