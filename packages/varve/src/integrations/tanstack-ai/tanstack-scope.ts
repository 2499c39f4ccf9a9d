import { InvalidScope } from '../../errors/invalid-scope.ts'
import { shown } from '../../errors/shown.ts'
import { defaultProject } from '../../scope/scope.ts'
import { nameOfHostId, nameOfHostIds } from '../../turns/host-names.ts'
import type { TanStackScope } from './tanstack-shapes.ts'

/**
 * Tells whose turn it is: the tenant is the project, the user the user, the thread the session. Without a user, a thread is its
 * own: one user for all of them would mix people. A user or a tenant that is there and is no text is refused: a login is missing.
 */
export function turnOfScope(scope: TanStackScope) {
  const { threadId } = scope
  const [tenant = defaultProject, user] = [given(scope, 'tenantId', 'project'), given(scope, 'userId', 'user')]
  const isDefault = tenant === defaultProject && 'tenantId' in scope
  return {
    scope: {
      project: isDefault ? nameOfHostIds([tenant]) : nameOfHostId(tenant),
      user: user === undefined ? nameOfHostIds(['thread', threadId]) : nameOfHostId(user),
    },
    session: nameOfHostId(threadId),
  }
}

function given(scope: TanStackScope, field: 'tenantId' | 'userId', name: 'project' | 'user'): string | undefined {
  if (!(field in scope)) return undefined
  const id: unknown = scope[field]
  if (typeof id === 'string' && id.trim() !== '') return id
  throw new InvalidScope({ field: name, received: shown(id), reason: `is not told by ${field}` })
}
