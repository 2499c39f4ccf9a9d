import { DiskFull } from '../../errors/disk-full.ts'
import { StoreBusy } from '../../errors/store-busy.ts'
import { StoreDamaged } from '../../errors/store-damaged.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import { StoreForeign } from '../../errors/store-foreign.ts'
import { StoreReadOnly } from '../../errors/store-read-only.ts'
import { VarveError } from '../../errors/varve-error.ts'

interface Failure {
  readonly store: string
  readonly operation: string
  readonly reason: string
}

/** SQLite's result codes (by prefix, most exact first) and the errors for the caller. A test walks through them. */
export const failures: readonly (readonly [prefix: string, make: (failure: Failure, cause: Error) => VarveError])[] = [
  ['SQLITE_BUSY', ({ store }, cause) => new StoreBusy({ store }, { cause })],
  ['SQLITE_LOCKED', ({ store }, cause) => new StoreBusy({ store }, { cause })],
  ['SQLITE_FULL', ({ store }, cause) => new DiskFull({ store }, { cause })],
  // "The underlying filesystem volume is out of space", says SQLite of it: the index of the log cannot grow.
  ['SQLITE_IOERR_SHMSIZE', ({ store }, cause) => new DiskFull({ store }, { cause })],
  ['SQLITE_READONLY', ({ store }, cause) => new StoreReadOnly({ store }, { cause })],
  ['SQLITE_CANTOPEN', ({ store }, cause) => new StoreReadOnly({ store }, { cause })],
  ['SQLITE_PERM', ({ store }, cause) => new StoreReadOnly({ store }, { cause })],
  ['SQLITE_NOTADB', ({ store, reason }, cause) => new StoreForeign({ store, reason }, { cause })],
  ['SQLITE_CORRUPT', ({ store, reason }, cause) => new StoreDamaged({ store, reason }, { cause })],
  ['SQLITE_', ({ operation, reason }, cause) => new StoreFailed({ operation, reason }, { cause })],
]

/** Turns a driver's error into a VarveError. An error of ours, or of neither, stays as it is. */
export function classify(error: unknown, store: string, operation: string): Error {
  if (VarveError.is(error)) return error
  if (!(error instanceof Error)) return new StoreFailed({ operation, reason: String(error) })
  const code = codeOf(error)
  const known = failures.find(([prefix]) => code.startsWith(prefix))
  return known === undefined ? error : known[1]({ store, operation, reason: `${code}: ${error.message}` }, error)
}

/** Tells whether the connection can no longer be trusted and must be opened anew: a write or an fsync failed under it. */
export function breaksConnection(error: unknown): boolean {
  return error instanceof Error && /^SQLITE_(IOERR|NOTADB|CORRUPT|CANTOPEN)/.test(codeOf(error))
}

/** Tells whether another connection held the lock for too long. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && codeOf(error).startsWith('SQLITE_BUSY')
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
