import { VarveError } from './varve-error.ts'

/** An option of openMemory, or an environment variable, is wrong. */
export class InvalidConfiguration extends VarveError {
  readonly code = 'CONFIGURATION_INVALID'
  readonly setting: string
  readonly reason: string

  constructor(facts: { setting: string; reason: string }, options?: ErrorOptions) {
    super(`${facts.setting}: ${facts.reason}`, options)
    this.setting = facts.setting
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
