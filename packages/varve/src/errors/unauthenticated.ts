import { VarveError } from './varve-error.ts'

/** The server was given no key, or one that it does not know, that ended, or that was revoked. It does not say which. */
export class Unauthenticated extends VarveError {
  readonly code = 'UNAUTHENTICATED'

  constructor(options?: ErrorOptions) {
    super('A valid key is needed: send it as `Authorization: Bearer <key>`. `varve keys create` makes one.', options)
  }

  get isRetryable(): boolean {
    return false
  }
}
