import { VarveError } from './varve-error.ts'

/** The memory was closed before or during the call. */
export class MemoryClosed extends VarveError {
  readonly code = 'MEMORY_CLOSED'

  constructor(_facts: object = {}, options?: ErrorOptions) {
    super('this memory is closed: call openMemory() again.', options)
  }

  get isRetryable(): boolean {
    return false
  }
}
