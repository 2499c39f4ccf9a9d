import { types } from 'node:util'

/** The closed list of error codes; each has one class in this folder and one row in docs/reference/errors.md. */
export const errorCodes = [
  'APPEND_INCOMPLETE',
  'BUDGET_EXCEEDED',
  'CANCELLED',
  'CONFIGURATION_INVALID',
  'DEADLINE_EXCEEDED',
  'DISK_FULL',
  'EMPTY_SESSION',
  'ENGINE_INTERRUPTED',
  'ENGINE_OVERLOADED',
  'EXPORT_BROKEN',
  'EXPORT_INTERRUPTED',
  'FORBIDDEN',
  'IDEMPOTENCY_REUSED',
  'IMPORT_FAILED',
  'ISOLATION_WARNING',
  'LIMIT_EXCEEDED',
  'MEMORY_CLOSED',
  'MESSAGE_INVALID',
  'MODEL_FAILED',
  'NOT_FOUND',
  'OPTION_INVALID',
  'PACKAGE_FILE_MISSING',
  'RATE_LIMITED',
  'REQUEST_INVALID',
  'SCHEMA_TOO_NEW',
  'SCOPE_INVALID',
  'SERVER_UNREACHABLE',
  'STALE_REVISION',
  'STORE_BUSY',
  'STORE_DAMAGED',
  'STORE_FAILED',
  'STORE_FOREIGN',
  'STORE_GONE',
  'STORE_READ_ONLY',
  'STORE_UNREACHABLE',
  'UNAUTHENTICATED',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Every copy of the package gets the same symbol from the registry. */
const brand = Symbol.for('varve.error')

/** The base of every error of Varve: a code from a closed list, whether the same call may succeed later, and its facts as fields. */
export abstract class VarveError extends Error {
  abstract readonly code: ErrorCode
  /** True when the same call may succeed later without any change to it. */
  abstract get isRetryable(): boolean

  // The prototype carries the brand, so it is neither a field of an error nor part of its type.
  static {
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  /** Tells an error of Varve from any other value. Unlike `instanceof`, it knows errors of another copy of the package. */
  static is(value: unknown): value is VarveError {
    return types.isNativeError(value) && Reflect.get(value, brand) === true
  }

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}
