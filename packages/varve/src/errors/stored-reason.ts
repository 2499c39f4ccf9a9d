import { ModelFailed } from './model-failed.ts'
import { sortOf } from './wordless.ts'
import { VarveError } from './varve-error.ts'

/** An error as the store may keep it. */
export interface StoredReason {
  readonly code: string
  readonly reason: string
}

/**
 * Gives the reason of an error as the store may keep it: no words of a provider, and no name or word of a user. Of
 * Varve's own errors only ModelFailed has a reason that holds none of them; others are told by their code.
 */
export function storedReason(error: unknown): StoredReason {
  if (error instanceof ModelFailed) return { code: error.code, reason: error.reason }
  if (VarveError.is(error)) return { code: error.code, reason: error.code }
  return { code: 'UNEXPECTED', reason: sortOf(error) || 'UNEXPECTED' }
}
