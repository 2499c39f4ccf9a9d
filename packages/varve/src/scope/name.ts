import { InvalidScope } from '../errors/invalid-scope.ts'
import { shown } from '../errors/shown.ts'

/** The longest project, user or session name, in bytes of UTF-8. */
export const maxNameBytes = 256

// These name places in paths, and a name may become one (a notes folder, an export).
const refused = /^(?:\.\.?|~)$/

/**
 * Checks a name and gives it unchanged, or throws InvalidScope. Nothing is trimmed, folded or expanded: `*`, `%`,
 * `ALICE` and `bob/../alice` are names like any other.
 */
export function validName(field: 'project' | 'user' | 'session', received: unknown): string {
  const reason = reasonToRefuse(received)
  if (reason !== undefined) throw new InvalidScope({ field, received: shown(received), reason })
  return received as string
}

/** Tells why a value cannot be a name; undefined when it can. */
export function reasonToRefuse(received: unknown): string | undefined {
  if (typeof received !== 'string') return 'must be a string'
  if (received.trim() === '') return 'must not be blank'
  if (refused.test(received)) return 'must not be a path'
  if (received.includes('\0')) return 'must not contain NUL'
  if (!received.isWellFormed()) return 'must not contain a lone surrogate'
  // A text of so few units has no more bytes.
  if (3 * received.length > maxNameBytes && new TextEncoder().encode(received).length > maxNameBytes)
    return `must not be longer than ${maxNameBytes} bytes of UTF-8`
  return undefined
}
