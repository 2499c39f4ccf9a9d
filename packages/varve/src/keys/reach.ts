import type { KeyReach, KeyRights } from './caller-key.ts'
import { reasonToRefuse } from '../scope/name.ts'

/** The anonymous user, where a user is named in a path, a header or a key. */
export const anonymousUser = '~'

/** The place that a call is made on. */
export type Target =
  | { readonly on: 'memory' }
  | { readonly on: 'project'; readonly project: string }
  /** `user` is `~` for the anonymous one. */
  | { readonly on: 'user'; readonly project: string; readonly user: string }

/**
 * Tells whether a key reaches a place. A key of a user reaches that user alone, and what the project's members share only
 * through that user's handle. A key that impersonates reaches nothing until `actingAs` has narrowed it.
 */
export function reaches({ project, user, impersonate }: KeyReach, target: Target): boolean {
  if (impersonate) return false
  if (target.on === 'memory') return project === undefined && user === undefined
  if (project !== undefined && project !== target.project) return false
  return target.on === 'project' ? user === undefined : user === undefined || user === target.user
}

/** The reason why a request's user does not fit its key. */
export type UserRefusal = 'user-needed' | 'user-not-allowed' | 'user-invalid'

/**
 * Narrows a key to the user that a request names in a header. Only a key that impersonates may name one, and it must.
 * Never widens: a key of a project stays in it.
 */
export function actingAs<Key extends KeyRights>(key: Key, named: string | undefined): Key | UserRefusal {
  if (!key.impersonate) return named === undefined ? key : 'user-not-allowed'
  if (named === undefined) return 'user-needed'
  if (named !== anonymousUser && reasonToRefuse(named) !== undefined) return 'user-invalid'
  return { ...key, user: named, impersonate: false }
}
