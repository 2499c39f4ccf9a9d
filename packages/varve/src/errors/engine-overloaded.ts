import { VarveError } from './varve-error.ts'

/** More bytes wait for the engine than it accepts. Nothing of the call was sent. */
export class EngineOverloaded extends VarveError {
  readonly code = 'ENGINE_OVERLOADED'
  readonly waitingBytes: number
  readonly mostBytes: number

  constructor(facts: { waitingBytes: number; mostBytes: number }, options?: ErrorOptions) {
    super(
      `${facts.waitingBytes} bytes of earlier calls wait already, of at most ${facts.mostBytes}. Nothing of this call was ` +
        'sent: wait for some of them, and call again.',
      options,
    )
    this.waitingBytes = facts.waitingBytes
    this.mostBytes = facts.mostBytes
  }

  get isRetryable(): boolean {
    return true
  }
}
