import { AppendIncomplete } from './append-incomplete.ts'
import { BudgetExceeded } from './budget-exceeded.ts'
import { Cancelled } from './cancelled.ts'
import { DeadlineExceeded } from './deadline-exceeded.ts'
import { DiskFull } from './disk-full.ts'
import { EmptySession } from './empty-session.ts'
import { EngineInterrupted } from './engine-interrupted.ts'
import { EngineOverloaded } from './engine-overloaded.ts'
import { ExportBroken } from './export-broken.ts'
import { ExportInterrupted } from './export-interrupted.ts'
import { Forbidden } from './forbidden.ts'
import { ImportFailed } from './import-failed.ts'
import { InvalidConfiguration } from './invalid-configuration.ts'
import { InvalidMessage } from './invalid-message.ts'
import { InvalidOption } from './invalid-option.ts'
import { InvalidRequest } from './invalid-request.ts'
import { InvalidScope } from './invalid-scope.ts'
import { IsolationWarning } from './isolation-warning.ts'
import { LimitExceeded } from './limit-exceeded.ts'
import { MemoryClosed } from './memory-closed.ts'
import { ModelFailed } from './model-failed.ts'
import { NotFound } from './not-found.ts'
import { PackageFileMissing } from './package-file-missing.ts'
import { RateLimited } from './rate-limited.ts'
import { SchemaTooNew } from './schema-too-new.ts'
import { ServerUnreachable } from './server-unreachable.ts'
import { IdempotencyReused } from './idempotency-reused.ts'
import { StaleRevision } from './stale-revision.ts'
import { StoreBusy } from './store-busy.ts'
import { StoreDamaged } from './store-damaged.ts'
import { StoreFailed } from './store-failed.ts'
import { StoreForeign } from './store-foreign.ts'
import { StoreGone } from './store-gone.ts'
import { StoreReadOnly } from './store-read-only.ts'
import { StoreUnreachable } from './store-unreachable.ts'
import { Unauthenticated } from './unauthenticated.ts'
import { type ErrorCode, VarveError } from './varve-error.ts'

/** An error as it crosses from a worker thread: structured clone would lose its class. */
export interface WireError {
  readonly code: ErrorCode | undefined
  readonly message: string
  /** The name of its class. */
  readonly name?: string
  readonly stack: string | undefined
  readonly facts: Readonly<Record<string, unknown>>
}

// The facts come from an instance of the same class, so their shape is right.
type Revive = new (facts: never, options?: ErrorOptions) => VarveError

export const classByCode: Readonly<Record<ErrorCode, Revive>> = {
  APPEND_INCOMPLETE: AppendIncomplete,
  BUDGET_EXCEEDED: BudgetExceeded,
  CANCELLED: Cancelled,
  CONFIGURATION_INVALID: InvalidConfiguration,
  DEADLINE_EXCEEDED: DeadlineExceeded,
  DISK_FULL: DiskFull,
  EMPTY_SESSION: EmptySession,
  ENGINE_INTERRUPTED: EngineInterrupted,
  ENGINE_OVERLOADED: EngineOverloaded,
  EXPORT_BROKEN: ExportBroken,
  EXPORT_INTERRUPTED: ExportInterrupted,
  FORBIDDEN: Forbidden,
  IMPORT_FAILED: ImportFailed,
  ISOLATION_WARNING: IsolationWarning,
  LIMIT_EXCEEDED: LimitExceeded,
  MEMORY_CLOSED: MemoryClosed,
  MESSAGE_INVALID: InvalidMessage,
  MODEL_FAILED: ModelFailed,
  NOT_FOUND: NotFound,
  OPTION_INVALID: InvalidOption,
  PACKAGE_FILE_MISSING: PackageFileMissing,
  RATE_LIMITED: RateLimited,
  REQUEST_INVALID: InvalidRequest,
  SCHEMA_TOO_NEW: SchemaTooNew,
  SCOPE_INVALID: InvalidScope,
  SERVER_UNREACHABLE: ServerUnreachable,
  IDEMPOTENCY_REUSED: IdempotencyReused,
  STALE_REVISION: StaleRevision,
  STORE_BUSY: StoreBusy,
  STORE_DAMAGED: StoreDamaged,
  STORE_FAILED: StoreFailed,
  STORE_FOREIGN: StoreForeign,
  STORE_GONE: StoreGone,
  STORE_READ_ONLY: StoreReadOnly,
  STORE_UNREACHABLE: StoreUnreachable,
  UNAUTHENTICATED: Unauthenticated,
}

export function toWire(error: unknown): WireError {
  if (!(error instanceof Error)) return { code: undefined, message: String(error), stack: undefined, facts: {} }
  const { name: _name, code: _code, cause: _cause, ...facts } = { ...error } as Record<string, unknown>
  // Not VarveError.is: an error of another version of Varve may have a code that `fromWire` knows no class for, or other facts.
  return { code: error instanceof VarveError ? error.code : undefined, name: error.name, message: error.message, stack: error.stack, facts }
}

export function fromWire(wire: WireError): Error {
  const cause = new Error(wire.message)
  if (wire.stack !== undefined) cause.stack = wire.stack
  if (wire.name !== undefined) cause.name = wire.name
  if (wire.code === undefined) return cause
  return new classByCode[wire.code](wire.facts as never, { cause })
}
