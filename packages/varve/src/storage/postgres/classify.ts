import { DiskFull } from '../../errors/disk-full.ts'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import { StoreBusy } from '../../errors/store-busy.ts'
import { StoreDamaged } from '../../errors/store-damaged.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import { StoreReadOnly } from '../../errors/store-read-only.ts'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { shownPlace } from './address.ts'

interface Failure {
  readonly store: string
  readonly operation: string
  readonly reason: string
}

type Make = (failure: Failure, cause: Error) => VarveError

const unreachable: Make = ({ store, reason }, cause) => new StoreUnreachable({ store, reason }, { cause })
const busy: Make = ({ store, reason }, cause) => new StoreBusy({ store, reason }, { cause })
const refused =
  (why: string): Make =>
  ({ reason }, cause) =>
    new InvalidConfiguration({ setting: 'store', reason: `${why} (${reason})` }, { cause })

/**
 * SQLSTATE codes, by prefix and the most exact first (postgresql.org/docs/current/errcodes-appendix.html), and codes of
 * Node's sockets. A test walks through them.
 */
export const postgresFailures: readonly (readonly [prefix: string, make: Make])[] = [
  ['40', busy],
  ['23505', busy],
  ['55P03', busy],
  ['57014', ({ operation }, cause) => new StoreFailed({ operation, reason: 'it took longer than the time-out of the store' }, { cause })],
  ['53100', ({ store }, cause) => new DiskFull({ store }, { cause })],
  ['53', unreachable],
  ['08', unreachable],
  ['57P', unreachable],
  ['25P03', unreachable],
  ['25006', ({ store }, cause) => new StoreReadOnly({ store, reason: 'the server takes no writes: it is a standby' }, { cause })],
  ['28', refused('the server refuses this user or password')],
  ['3D000', refused('the server has no such database')],
  ['3F000', refused('the database has no such schema')],
  ['42501', refused('the role may not do this in the database')],
  ['XX001', ({ store, reason }, cause) => new StoreDamaged({ store, reason }, { cause })],
  ['XX002', ({ store, reason }, cause) => new StoreDamaged({ store, reason }, { cause })],
  ['ECONN', unreachable],
  ['EPIPE', unreachable],
  ['ETIMEDOUT', unreachable],
  ['EHOSTUNREACH', unreachable],
  ['ENETUNREACH', unreachable],
  ['ENOTFOUND', unreachable],
  ['EAI_AGAIN', unreachable],
  ['ENOENT', unreachable],
]

/** What the driver says, without a code, of a connection that is gone or does not come about. */
const lostMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
  'Client was closed',
] as const

/** Turns a driver's error into a VarveError. An error of ours, or of neither, stays as it is. */
export function classifyPostgres(error: unknown, place: string, operation: string): Error {
  if (VarveError.is(error)) return error
  if (!(error instanceof Error)) return new StoreFailed({ operation, reason: 'an unknown failure' })
  const store = shownPlace(place)
  const code = sqlStateOf(error)
  const known = postgresFailures.find(([prefix]) => code.startsWith(prefix))
  // The server's words may hold a user's: a code tells what it was.
  if (known !== undefined) return known[1]({ store, operation, reason: code }, error)
  if (isLost(error)) return new StoreUnreachable({ store, reason: 'the connection was lost' }, { cause: error })
  return isOfServer(error) ? new StoreFailed({ operation, reason: `SQLSTATE ${code}` }, { cause: error }) : error
}

/** A condition of a transaction does not hold: another one changed what it took for granted. */
export class Unheld extends Error {}

/** Tells whether a transaction failed because of another one beside it: it may run again. */
export function isConflict(error: unknown): boolean {
  return error instanceof Unheld || /^(?:40001|40P01|23505)$/.test(sqlStateOf(error))
}

/** Tells whether a connection can no longer be used. */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof StoreUnreachable) return true
  const code = sqlStateOf(error)
  if (isOfServer(error)) return /^(?:08|57P|25P03|25006|XX)/.test(code)
  return isLost(error) || postgresFailures.some(([prefix]) => prefix.startsWith('E') && code.startsWith(prefix))
}

function isLost({ message }: Error): boolean {
  return lostMessages.some((beginning) => message.startsWith(beginning))
}

export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** An error that the server reported has its severity; a socket's has none. */
function isOfServer(error: Error): boolean {
  return 'severity' in error
}
