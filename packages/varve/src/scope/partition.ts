import type { Brand } from './brand.ts'
import { validName } from './name.ts'

/** The unit of isolation: (project, owner) in one string that only this file can make. */
export type PartitionId = Brand<string, 'PartitionId'>
export type ProjectName = Brand<string, 'ProjectName'>
export type SessionName = Brand<string, 'SessionName'>

/** Who owns a partition: a named user, the anonymous user, or the project itself. */
export type Owner = { readonly kind: 'user'; readonly name: string } | { readonly kind: 'anonymous' } | { readonly kind: 'shared' }

export interface PartitionParts {
  readonly project: ProjectName
  readonly owner: Owner
}

// NUL is refused in names, so it can never be part of one.
const separator = '\0'

export function partitionId(project: ProjectName, owner: Owner): PartitionId {
  return [project, owner.kind, owner.kind === 'user' ? owner.name : ''].join(separator) as PartitionId
}

export function partitionParts(partition: PartitionId): PartitionParts {
  const [project = '', kind = '', name = ''] = partition.split(separator)
  const owner: Owner = kind === 'user' ? { kind, name } : { kind: kind === 'shared' ? 'shared' : 'anonymous' }
  return { project: project as ProjectName, owner }
}

export function projectName(received: unknown): ProjectName {
  return validName('project', received) as ProjectName
}

export function sessionName(received: unknown): SessionName {
  return validName('session', received) as SessionName
}
