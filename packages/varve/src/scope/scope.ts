import { InvalidScope } from '../errors/invalid-scope.ts'
import { shown } from '../errors/shown.ts'
import { validName } from './name.ts'
import { type Owner, type PartitionId, type ProjectName, partitionId, projectName } from './partition.ts'
import { isPlain } from './plain.ts'

/** The scope for `memory.for()`. An absent key means the default; a present one must be a name. */
export interface ScopeInput {
  /** Default: `default`. */
  readonly project?: string
  /** Default: the anonymous user. */
  readonly user?: string
}

export interface Scope {
  readonly project: ProjectName
  readonly owner: Owner
  readonly partition: PartitionId
}

/** The project that is meant where none is named. */
export const defaultProject = 'default'

const keys: ReadonlySet<string> = new Set(['project', 'user'])

/** Reads the scope of a handle: `'ada'` is user ada of project default; `{ project }` alone is its anonymous user. */
export function parseScope(received: unknown): Scope {
  if (typeof received === 'string') return scopeOf(projectName(defaultProject), { kind: 'user', name: validName('user', received) })
  if (!isPlain(received)) {
    throw new InvalidScope({ field: 'user', received: shown(received), reason: 'must be a name or a plain { project, user }' })
  }
  for (const key of Object.keys(received)) {
    if (!keys.has(key))
      throw new InvalidScope({
        field: 'user',
        received: shown(received),
        reason: `has an unknown key ${JSON.stringify(key)}; known are project and user`,
      })
  }
  const given = received as Readonly<Record<string, unknown>>
  const project = projectName('project' in given ? given['project'] : defaultProject)
  const owner: Owner = 'user' in given ? { kind: 'user', name: validName('user', given['user']) } : { kind: 'anonymous' }
  return scopeOf(project, owner)
}

function scopeOf(project: ProjectName, owner: Owner): Scope {
  return { project, owner, partition: partitionId(project, owner) }
}
