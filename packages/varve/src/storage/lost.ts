import { StoreFailed } from '../errors/store-failed.ts'

/** Makes the error for a row of this very transaction that cannot be read: the store is broken. */
export function lost(kind: string): StoreFailed {
  return new StoreFailed({ operation: 'write', reason: `a ${kind} that was just written cannot be read` })
}
