import { InvalidScope } from '../../errors/invalid-scope.ts'
import { shown } from '../../errors/shown.ts'
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
 * one user for all of them would mix people. A user or a tenant that is there and is no text is refused: a login is missing.
 */
export function namesOfScope(scope: TanStackScope): ScopeNames {
  const { threadId } = scope
  const [tenant, user] = [given(scope, 'tenantId', 'project'), given(scope, 'userId', 'user')]
  const project = tenant === defaultProject ? nameOfHostIds([tenant]) : nameOfHostId(tenant ?? defaultProject)
  return {
    project: tenant === undefined ? defaultProject : project,
    user: user === undefined ? nameOfHostIds(['thread', threadId]) : nameOfHostId(user),
    session: nameOfHostId(threadId),
  }
}

function given(scope: TanStackScope, field: 'tenantId' | 'userId', name: 'project' | 'user'): string | undefined {
  if (!(field in scope)) return undefined
  const id: unknown = scope[field]
  if (typeof id === 'string' && id.trim() !== '') return id
  throw new InvalidScope({ field: name, received: shown(id), reason: `is not told by ${field}` })
}
