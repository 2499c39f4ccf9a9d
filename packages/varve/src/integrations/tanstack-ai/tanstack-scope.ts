import { defaultProject } from '../../scope/scope.ts'
import { nameOfHostId, nameOfHostIds } from '../../turns/host-names.ts'
import type { TanStackScope } from './tanstack-shapes.ts'

/** The names of a scope in Varve. */
export interface ScopeNames {
  readonly project: string
  readonly user: string
  readonly session: string
}

/**
 * Names a scope: the tenant is the project, the user the user, the thread the session. Without a user, a thread is its own:
 * one user for all of them would mix people. No tenant is taken for none.
 */
export function namesOfScope({ tenantId = '', userId = '', threadId }: TanStackScope): ScopeNames {
  const project = tenantId === defaultProject ? nameOfHostIds([tenantId]) : nameOfHostId(tenantId)
  return {
    project: tenantId === '' ? defaultProject : project,
    user: userId === '' ? nameOfHostIds(['thread', threadId]) : nameOfHostId(userId),
    session: nameOfHostId(threadId),
  }
}
