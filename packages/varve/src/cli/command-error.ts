/** An error that the command line finds itself, with its exit code and the next command to type. */
export class CommandError extends Error {
  readonly code: 'USAGE' | 'NO_STORE' | 'NO_INPUT' | 'NO_KEYS' | 'FAILED_OPEN' | 'INTERRUPTED' | 'OUTPUT_FAILED' | 'CLIENT_FILE'
  readonly exitCode: number
  readonly next: string

  constructor(message: string, facts: Pick<CommandError, 'code' | 'exitCode' | 'next'>, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
    this.code = facts.code
    this.exitCode = facts.exitCode
    this.next = facts.next
  }
}

/** Makes the error for wrong usage, with exit code 2 and the next command to type. */
export function wrongUsage(message: string, next: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'USAGE', exitCode: 2, next }, { cause })
}
