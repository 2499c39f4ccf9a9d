import { StoreFailed } from '../errors/store-failed.ts'

/** A row that was written in this very transaction cannot be read: the store does not keep its word. */
export function lost(kind: string): StoreFailed {
  return new StoreFailed({ operation: 'write', reason: `a ${kind} that was just written cannot be read` })
}
