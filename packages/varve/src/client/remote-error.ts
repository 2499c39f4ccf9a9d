import { shown } from '../errors/shown.ts'
import type { ErrorCode } from '../errors/varve-error.ts'
import { reasonToRefuse } from '../scope/name.ts'

/** The library's brand of its errors: `VarveError.is` of every copy of the package knows it. */
const brand = Symbol.for('varve.error')

/** A server of a newer version may have another code. */
type Code = ErrorCode | (string & {})

/**
 * An error of Varve, as the library throws it: the code, the name of its class, the message, and its facts as fields. It
 * is no instance of the library's classes: go by `code`.
 */
export class RemoteError extends Error {
  declare readonly code: Code
  /** True when the same call may succeed later without any change to it. */
  declare readonly isRetryable: boolean;
  readonly [fact: string]: unknown

  get [brand](): boolean {
    return true
  }

  /** Tells an error of Varve from any other value: also one that the library itself threw. */
  static is(value: unknown): value is RemoteError {
    return Object(value)[brand] === true
  }

  constructor(name: string, code: Code, message: string, facts?: object, isRetryable = false, options?: ErrorOptions) {
    super(message, options)
    const { stack: _stack, ['__proto__']: _proto, ...told }: Readonly<Record<string, unknown>> = { ...facts }
    Object.assign(this, told, { name, message, code, isRetryable })
  }
}

export function invalidOption(option: string, value: unknown, expected: string): RemoteError {
  const received = shown(value)
  const message = `${option} must be ${expected}: received ${received}.`
  return new RemoteError('InvalidOption', 'OPTION_INVALID', message, { option, received, expected })
}

export function invalidScope(field: string, value: unknown, reason: string): RemoteError {
  const received = shown(value)
  const message = `${field} ${reason}: received ${received}. Pass a non-empty string of at most 256 bytes.`
  return new RemoteError('InvalidScope', 'SCOPE_INVALID', message, { field, received, reason })
}

/** Refuses what is no name, as the library does. */
export function refuseName(field: string, value: unknown): asserts value is string {
  const reason = reasonToRefuse(value)
  if (reason !== undefined) throw invalidScope(field, value, reason)
}

export function invalidConfiguration(setting: string, reason: string): RemoteError {
  return new RemoteError('InvalidConfiguration', 'CONFIGURATION_INVALID', `${setting}: ${reason}`, { setting, reason })
}

export function memoryClosed(): RemoteError {
  return new RemoteError('MemoryClosed', 'MEMORY_CLOSED', 'this memory is closed: call connect() again.')
}

export function cancelled(operation: string, cause: unknown): RemoteError {
  return new RemoteError('Cancelled', 'CANCELLED', `${operation} was cancelled by its signal.`, { operation }, false, { cause })
}

export function deadlineExceeded(operation: string, deadlineMs: number): RemoteError {
  const message = `${operation} took longer than ${deadlineMs} ms. A write may still be done.`
  return new RemoteError('DeadlineExceeded', 'DEADLINE_EXCEEDED', message, { operation, deadlineMs }, true)
}

export function unreachable(reason: string, cause?: unknown): RemoteError {
  const message = `The server of Varve could not be reached: ${reason}.`
  return new RemoteError('ServerUnreachable', 'SERVER_UNREACHABLE', message, { reason }, true, cause === undefined ? cause : { cause })
}

/** Tells whether the server is away, busy or broken: nothing that a caller did or can change. */
export function isAway(error: unknown): error is RemoteError {
  return RemoteError.is(error) && (error.isRetryable || Object(error.cause).status >= 500)
}

/** Makes the error for an answer that is no success: that of its problem, or one that tells its status. */
export function errorOf(status: number, problem: unknown): RemoteError {
  const { code, title, detail, isRetryable, facts }: Readonly<Record<string, unknown>> = Object(problem)
  // A server that closes is away for its clients, and comes back.
  if (code === 'MEMORY_CLOSED') return unreachable('it is closing')
  if (typeof code === 'string' && typeof detail === 'string')
    return new RemoteError(String(title), code, detail, Object(facts), isRetryable === true, { cause: { status } })
  const reason = `something before it answered ${status}`
  if (status >= 500) return unreachable(reason)
  return new RemoteError('InvalidRequest', 'REQUEST_INVALID', `The request cannot be used: ${reason}.`, { status, reason })
}
