import type { Brand } from './brand.ts'
import { validName } from './name.ts'

/** The owner of a partition: a named user, the anonymous user, or the project itself. */
export type Owner = { readonly kind: 'user'; readonly name: string } | { readonly kind: 'anonymous' } | { readonly kind: 'shared' }

export type ProjectName = Brand<string, 'ProjectName'>
export type SessionName = Brand<string, 'SessionName'>

/** The unit of isolation: (project, owner). Only this file makes one, from names that were checked. */
export type PartitionId = Brand<{ readonly project: ProjectName; readonly owner: Owner }, 'PartitionId'>

export function partitionId(project: ProjectName, owner: Owner): PartitionId {
  return { project, owner } as PartitionId
}

export function projectName(received: unknown): ProjectName {
  return validName('project', received) as ProjectName
}

export function sessionName(received: unknown): SessionName {
  return validName('session', received) as SessionName
}
