import { isRecord } from './formats/values.ts'

/** Whose words a line or a conversation of a file says that it holds. */
export interface StatedOwner {
  readonly project?: string
  readonly user?: string
  /** The account of a conversation in another program's export: an id there, and no name of a user here. */
  readonly account?: string
}

/** Our own word for each, then other programs' words. */
const words = {
  user: ['user', ['user_id', 'userId', 'username', 'owner', 'owner_id', 'ownerId', 'account', 'account_id', 'accountId']],
  project: [
    'project',
    [
      ...['project_id', 'projectId', 'workspace', 'workspace_id', 'workspaceId', 'tenant', 'tenant_id', 'tenantId', 'namespace'],
      ...['organization', 'organization_id', 'organizationId', 'org_id', 'orgId', 'app', 'app_id', 'appId'],
    ],
  ],
} as const

/**
 * Reads the owner that a line of JSONL names; undefined where it names none. `unreadable`: a field is no name, as null
 * is, or two words of other programs disagree. Our own word, where it stands, decides.
 */
export function ownerOfLine(line: unknown): StatedOwner | undefined | 'unreadable' {
  if (!isRecord(line)) return undefined
  const user = nameIn(line, words.user)
  const project = nameIn(line, words.project)
  if (user === 'unreadable' || project === 'unreadable') return 'unreadable'
  if (user === undefined && project === undefined) return undefined
  return { ...(user === undefined ? {} : { user: user.name }), ...(project === undefined ? {} : { project: project.name }) }
}

type Named = { readonly name: string } | undefined | 'unreadable'

function nameIn(line: Readonly<Record<string, unknown>>, [own, others]: readonly [string, readonly string[]]): Named {
  const stated = own in line ? [own] : others.filter((word) => word in line)
  const names = stated.map((word) => nameOf(line[word]))
  const [first] = names
  if (first === undefined && names.length === 0) return undefined
  return first === undefined || names.some((name) => name !== first) ? 'unreadable' : { name: first }
}

/** Reads a name: a string, a number, or an object with an id. */
function nameOf(value: unknown): string | undefined {
  return isRecord(value) ? plainName(value['id'] ?? value['uuid']) : plainName(value)
}

/** Numbers that are not exact would give two owners one name. */
function plainName(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return Number.isSafeInteger(value) ? String(value) : undefined
}
