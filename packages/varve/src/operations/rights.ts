import { type Access, accesses, type KeyRights } from '../keys/caller-key.ts'
import { reaches, type Target } from '../keys/reach.ts'
import { milliseconds } from '../messages/time.ts'
import type { AuditAct } from '../observe/audit-entry.ts'
import type { AnyOperation } from './operation.ts'

type Asked = Pick<AnyOperation, 'name' | 'kind'>

/** What looks after a project, or names its members. A key of that project needs `admin` for it. */
const adminOfProject: ReadonlySet<string> = new Set([
  'users',
  'sharing',
  'project.settings.set',
  'project.export',
  'project.import',
  'imports.accept',
  'bank.setSharing',
  'bank.withdraw',
])

/** Operations on the memory that a project's admin may make too: for that project alone, named in `project`. */
const narrowable: ReadonlySet<string> = new Set(['keys.create', 'keys.list', 'keys.revoke', 'audit.list'])

/** Gives the least access that an operation needs. The memory as a whole is an admin's. */
export function leastAccess({ name, kind }: Asked, on: Target['on']): Access {
  if (on === 'memory' || (on === 'project' && adminOfProject.has(name))) return 'admin'
  return kind
}

/** The reason why a key may not make a call. */
export type CallRefusal = 'out-of-reach' | 'access-needed'

/** Tells why a key may not make a call on a place; undefined when it may. `narrowed` must then look at the call's input. */
export function callRefusal(key: KeyRights, operation: Asked, target: Target): CallRefusal | undefined {
  if (!reaches(key, ownOf(key, operation, target))) return 'out-of-reach'
  return accesses.indexOf(key.access) < accesses.indexOf(leastAccess(operation, target.on)) ? 'access-needed' : undefined
}

/** Gives the place of a call. A call on the memory that a project's admin may make counts as one on that project. */
function ownOf({ project }: KeyRights, { name }: Asked, target: Target): Target {
  return target.on === 'memory' && project !== undefined && narrowable.has(name) ? { on: 'project', project } : target
}

/**
 * Narrows the input of a call on the memory to the key's own project and origins. Undefined when the input names another
 * project, or when a key would be made that may claim more than this one.
 */
export function narrowed<Input extends object>(
  { project, origins, expiresAt }: Narrowing,
  { name }: Asked,
  input: Input,
): Input | undefined {
  if (!narrowable.has(name)) return input
  const own = project === undefined ? input : within(input, 'project', project)
  if (own === undefined || name !== 'keys.create') return own
  return expiring(origins === undefined ? own : claiming(own, origins), expiresAt)
}

/** The rights of an admin's key that bound what its caller asks for. */
interface Narrowing extends Pick<KeyRights, 'project' | 'origins'> {
  readonly expiresAt?: number
}

function within<Input extends object>(input: Input, field: string, own: unknown): Input | undefined {
  const given: unknown = Reflect.get(input, field)
  return given === undefined || given === own ? { ...input, [field]: own } : undefined
}

/** A key claims nothing that the key of its maker does not. */
function claiming<Input extends object>(input: Input, own: readonly string[]): Input | undefined {
  const given: unknown = Reflect.get(input, 'origins')
  if (given === undefined) return { ...input, origins: own }
  return Array.isArray(given) && given.every((one) => own.includes(one)) ? input : undefined
}

/** A key lives no longer than that of its maker. */
function expiring<Input extends object>(input: Input | undefined, ends: number | undefined): Input | undefined {
  if (input === undefined || ends === undefined) return input
  const given: unknown = Reflect.get(input, 'expiresAt')
  if (given === undefined) return { ...input, expiresAt: ends }
  const wanted = milliseconds(given)
  // A time that is none is refused by the operation.
  return wanted === undefined || wanted <= ends ? input : undefined
}

/** Deeds that are about sharing. */
const shares: ReadonlySet<string> = new Set(['sessions.share', 'settings.set', 'bank.setSharing', 'bank.withdraw'])

/** Deeds that erase, with a receipt. */
const forgets: ReadonlySet<string> = new Set([
  ...[
    'forget',
    'confirmForget',
    'replace',
    'pendingForget.confirm',
    'sessions.delete',
    'projects.delete',
    'receipts.replay',
    'imports.discard',
  ],
  ...['bank.delete', 'bank.clear', 'blocks.delete', 'documents.delete', 'notes.delete'],
])

/** Gives the act by which the audit tells an operation. */
export function actOf({ name, kind }: Asked, input: object = {}): AuditAct {
  if (name === 'keys.create' || name === 'keys.revoke') return 'keys'
  if (forgets.has(name)) return 'forget'
  const saysWhetherShared = name === 'sessions.ensure' && Reflect.get(input, 'share') !== undefined
  return shares.has(name) || saysWhetherShared ? 'share' : kind
}
