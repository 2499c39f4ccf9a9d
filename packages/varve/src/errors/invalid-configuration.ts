import { VarveError } from './varve-error.ts'

/** What openMemory was given, or an environment variable, does not make sense. */
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
