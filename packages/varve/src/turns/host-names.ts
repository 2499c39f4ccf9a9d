import { createHash } from 'node:crypto'
import { reasonToRefuse, validName } from '../scope/name.ts'

/** Begins the names that stand for a host's own ids. */
const mark = 'id-'

/** The longest id of a message, in bytes of UTF-8. */
const maxIdBytes = 512

/**
 * Gives a host's id of a tenant, a person or a conversation as a name. One that cannot be a name is replaced by its
 * digest. So is one that looks like a digest: no two ids have one name. InvalidScope for an id that is blank or no text: it is of
 * everybody who has none.
 */
export function nameOfHostId(field: 'project' | 'user' | 'session', id: unknown): string {
  if (typeof id !== 'string' || id.trim() === '') return validName(field, id)
  return reasonToRefuse(id) === undefined && !id.startsWith(mark) ? id : digestOf(id)
}

/** Gives a name for ids that belong together, such as a namespace and its parts. Other parts, or other borders, have another name. */
export function nameOfHostIds(ids: readonly string[]): string {
  return digestOf(...ids)
}

/** Gives a host's id of a message as a message's id. */
export function hostMessageId(id: string): string {
  const isUsable = id !== '' && !id.startsWith(mark) && !id.includes('\0') && id.isWellFormed() && Buffer.byteLength(id) <= maxIdBytes
  return isUsable ? id : digestOf(id)
}

/** JSON keeps the borders of parts, and tells lone surrogates apart. */
function digestOf(...ids: readonly string[]): string {
  return mark + createHash('sha256').update(JSON.stringify(ids)).digest('hex')
}
