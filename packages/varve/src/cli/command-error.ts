/** What a command cannot do, found out before or beside the memory: the exit code, and the command to type next. */
export class CommandError extends Error {
  readonly code: 'USAGE' | 'NO_STORE' | 'NO_INPUT' | 'FAILED_OPEN' | 'INTERRUPTED' | 'OUTPUT_FAILED'
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

/** A line that cannot be what was meant, and the one to type next. */
export function wrongUsage(message: string, next: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'USAGE', exitCode: 2, next }, { cause })
}
