import type { UserMemory } from '../memory/user-memory.ts'
import type { ScopeInput } from '../scope/scope.ts'

/** The part of a user's memory that a model's turn needs. A handle of the library has it, and one of `varve/client`. */
export type TurnMemory = Pick<UserMemory, 'context' | 'append'> & { readonly contexts: Pick<UserMemory['contexts'], 'get'> }

/** Gives a handle for each turn's scope: a Memory of the library, or one of `varve/client`. */
export interface TurnMemories<Handle = TurnMemory> {
  for(scope: ScopeInput): Handle
}
