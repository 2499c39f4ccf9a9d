import type { CallerKey } from '../keys/caller-key.ts'
import type { Target } from '../keys/reach.ts'
import { withinOrigins } from './claimed-words.ts'
import type { AnyOperation } from './operation.ts'
import { type CallRefusal, narrowed, callRefusal } from './rights.ts'

/** Why a call is not admitted. `origin`: it would store words of an origin that the key may not claim. */
type Refused = CallRefusal | 'origin'

/** A call as its key may make it, or why it may not. */
export type Admission<Input extends object> = { readonly input: Input } | { readonly refused: Refused }

/**
 * Admits a call of a key on a place, before anything of it is done. The input that comes back is narrowed to the key: its
 * project, its origins, the writer that it may be. `key` is already narrowed to the user of the request (`actingAs`).
 */
export function admitted<Input extends object>(
  key: CallerKey,
  operation: Pick<AnyOperation, 'name' | 'kind'>,
  target: Target,
  input: Input,
): Admission<Input> {
  const refused = callRefusal(key, operation, target)
  if (refused !== undefined) return { refused }
  const own = narrowed(key, operation, input)
  if (own === undefined) return { refused: 'out-of-reach' }
  const claimed = withinOrigins(key.origins, operation, own)
  return claimed === undefined ? { refused: 'origin' } : { input: claimed }
}
