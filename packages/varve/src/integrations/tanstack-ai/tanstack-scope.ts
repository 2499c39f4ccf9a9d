import { defaultProject } from '../../scope/scope.ts'
import { nameOfHostId, nameOfHostIds } from '../../turns/host-names.ts'
import type { TanStackScope } from './tanstack-shapes.ts'

/**
 * Tells whose turn it is: the tenant is the project, the user the user, the thread the session. Without a user, a thread is its
 * own: one user for all of them would mix people. What is there and is no text is refused: a login is missing.
 */
export function turnOfScope(scope: TanStackScope) {
  const { threadId, userId, tenantId } = scope
  const session = nameOfHostId('session', threadId)
  return {
    scope: {
      project: 'tenantId' in scope ? projectOf(tenantId) : defaultProject,
      user: 'userId' in scope ? nameOfHostId('user', userId) : nameOfHostIds(['thread', threadId]),
    },
    session,
  }
}

function projectOf(tenant: string | undefined): string {
  return tenant === defaultProject ? nameOfHostIds([tenant]) : nameOfHostId('project', tenant)
}
