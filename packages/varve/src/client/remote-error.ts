import type { ErrorCode } from '../errors/varve-error.ts'

/** The library's brand of its errors: `VarveError.is` of every copy of the package knows it. */
const brand = Symbol.for('varve.error')

/** Fields of a problem that are no facts of its error. */
const own = new Set(['name', 'message', 'stack', 'cause', 'code', 'isRetryable', '__proto__'])

/** A server of a newer version may have another code. */
type Code = ErrorCode | (string & {})

interface Told {
  readonly name: string
  readonly code: Code
  readonly message: string
  readonly isRetryable?: boolean
  readonly facts?: object
}

/**
 * An error of Varve, as the library throws it: the code, the name of its class, the message, and its facts as fields. It
 * is no instance of the library's classes: go by `code`.
 */
export class RemoteError extends Error {
  readonly code: Code
  /** True when the same call may succeed later without any change to it. */
  readonly isRetryable: boolean;
  readonly [fact: string]: unknown

  static {
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  /** Tells an error of Varve from any other value: also one that the library itself threw. */
  static is(value: unknown): value is RemoteError {
    return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true
  }

  constructor({ name, code, message, isRetryable = false, facts = {} }: Told, options?: ErrorOptions) {
    super(message, options)
    this.name = name
    this.code = code
    this.isRetryable = isRetryable
    Object.assign(this, Object.fromEntries(Object.entries(facts).filter(([fact]) => !own.has(fact))))
  }
}

export function invalidOption(option: string, received: string, expected: string): RemoteError {
  const message = `${option} must be ${expected}: received ${received}.`
  return new RemoteError({ name: 'InvalidOption', code: 'OPTION_INVALID', message, facts: { option, received, expected } })
}

export function invalidScope(field: string, received: string, reason: string): RemoteError {
  const message = `${field} ${reason}: received ${received}. Pass a non-empty string of at most 256 bytes.`
  return new RemoteError({ name: 'InvalidScope', code: 'SCOPE_INVALID', message, facts: { field, received, reason } })
}

export function notFound(kind: string, id: string): RemoteError {
  return new RemoteError({ name: 'NotFound', code: 'NOT_FOUND', message: `no ${kind} ${JSON.stringify(id)} here.`, facts: { kind, id } })
}

export function invalidConfiguration(setting: string, reason: string): RemoteError {
  const message = `${setting}: ${reason}`
  return new RemoteError({ name: 'InvalidConfiguration', code: 'CONFIGURATION_INVALID', message, facts: { setting, reason } })
}

export function memoryClosed(): RemoteError {
  return new RemoteError({ name: 'MemoryClosed', code: 'MEMORY_CLOSED', message: 'this memory is closed: call connect() again.' })
}

export function cancelled(operation: string, cause: unknown): RemoteError {
  const message = `${operation} was cancelled by its signal.`
  return new RemoteError({ name: 'Cancelled', code: 'CANCELLED', message, facts: { operation } }, { cause })
}

export function deadlineExceeded(operation: string, deadlineMs: number): RemoteError {
  const rest = 'If it writes, it may still do so: messages with an id can safely be sent again.'
  const message = `${operation} took longer than ${deadlineMs} ms. ${rest}`
  const facts = { operation, deadlineMs }
  return new RemoteError({ name: 'DeadlineExceeded', code: 'DEADLINE_EXCEEDED', message, isRetryable: true, facts })
}

export function unreachable(reason: string, cause?: unknown): RemoteError {
  const message = `The server of Varve could not be reached: ${reason}.`
  const told = { name: 'ServerUnreachable', code: 'SERVER_UNREACHABLE', message, isRetryable: true, facts: { reason } } as const
  return new RemoteError(told, cause === undefined ? undefined : { cause })
}

/** Failures of the server itself. */
const faults = new WeakSet<RemoteError>()

/** Tells whether the server is away, busy or broken: nothing that a caller did or can change. */
export function isAway(error: unknown): error is RemoteError {
  return RemoteError.is(error) && (error.isRetryable || faults.has(error))
}

/** Makes the error for an answer that is no success: that of its problem, or one that tells its status. */
export function errorOf(status: number, problem: unknown): RemoteError {
  const { code, title, detail, isRetryable, facts }: Readonly<Record<string, unknown>> = Object(problem)
  // A server that closes is away for its clients, and comes back.
  if (code === 'MEMORY_CLOSED') return unreachable('it is closing')
  if (typeof code !== 'string' || typeof detail !== 'string') {
    if (status >= 500) return unreachable(`something before it answered ${status}`)
    const reason = `the answer is ${status}, and is not from a server of Varve`
    const message = `The request cannot be used: ${reason}.`
    return new RemoteError({ name: 'InvalidRequest', code: 'REQUEST_INVALID', message, facts: { status, reason } })
  }
  const told = { name: String(title), code, message: detail, isRetryable: isRetryable === true, facts: Object(facts) }
  const error = new RemoteError(told)
  if (status >= 500) faults.add(error)
  return error
}
