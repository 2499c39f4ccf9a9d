import { InvalidRequest } from '../errors/invalid-request.ts'
import { RateLimited } from '../errors/rate-limited.ts'
import { StoreBusy } from '../errors/store-busy.ts'
import type { ErrorCode, VarveError } from '../errors/varve-error.ts'
import { withoutPlace } from '../errors/without-place.ts'
import { toWire } from '../errors/wire.ts'

/** The status of each error. A caller's mistake is 4xx; what may work later without a change is 429 or 5xx. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  APPEND_INCOMPLETE: 503,
  BUDGET_EXCEEDED: 422,
  CANCELLED: 499,
  CONFIGURATION_INVALID: 400,
  DEADLINE_EXCEEDED: 504,
  DISK_FULL: 507,
  EMPTY_SESSION: 409,
  ENGINE_INTERRUPTED: 503,
  ENGINE_OVERLOADED: 503,
  EXPORT_BROKEN: 422,
  EXPORT_INTERRUPTED: 409,
  FORBIDDEN: 403,
  IDEMPOTENCY_REUSED: 422,
  IMPORT_FAILED: 422,
  ISOLATION_WARNING: 409,
  LIMIT_EXCEEDED: 422,
  MEMORY_CLOSED: 503,
  MESSAGE_INVALID: 422,
  MODEL_FAILED: 502,
  NOT_FOUND: 404,
  OPTION_INVALID: 400,
  PACKAGE_FILE_MISSING: 500,
  RATE_LIMITED: 429,
  REQUEST_INVALID: 400,
  SCHEMA_TOO_NEW: 500,
  SCOPE_INVALID: 400,
  SERVER_UNREACHABLE: 502,
  STALE_REVISION: 409,
  STORE_BUSY: 503,
  STORE_DAMAGED: 500,
  STORE_FAILED: 503,
  STORE_FOREIGN: 500,
  STORE_GONE: 503,
  STORE_READ_ONLY: 403,
  STORE_UNREACHABLE: 503,
  UNAUTHENTICATED: 401,
}

/** Seconds after which a busy store may be asked again. */
const busySeconds = 1

/** Makes the answer for an error (RFC 9457): its code, its message, whether to try again, and its facts. */
export function problemOf(error: VarveError, requestId: string, status = statusFor(error)): Response {
  const { facts, message, code, name } = withoutPlace(toWire(error))
  const body = {
    type: `/docs/errors#${error.code}`,
    title: name ?? error.code,
    status,
    detail: message,
    code,
    isRetryable: error.isRetryable,
    requestId,
    facts,
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headersFor(error, status) },
  })
}

/** Gives the status of HTTP for an error. A revision that a header named is a condition of the request. */
export function statusFor(error: VarveError, request?: Request): number {
  if (error instanceof InvalidRequest) return error.status
  return error.code === 'STALE_REVISION' && request?.headers.has('if-match') === true ? 412 : statusOf[error.code]
}

function headersFor(error: VarveError, status: number): Record<string, string> {
  if (error instanceof RateLimited) return { 'retry-after': String(Math.ceil(error.retryAfterMs / 1_000)) }
  if (error instanceof StoreBusy || status === 503) return { 'retry-after': String(busySeconds) }
  return status === 401 ? { 'www-authenticate': 'Bearer realm="varve"' } : {}
}
