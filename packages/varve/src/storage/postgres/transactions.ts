import pRetry from 'p-retry'
import type { PoolClient } from 'pg'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import type { Patience } from '../patience.ts'
import type { Program } from '../program.ts'
import type { RowScope } from '../call-scope.ts'
import { type Sent, sendAll } from './batch.ts'
import { endsConnection, isConflict, Unheld } from './classify.ts'
import { type Connected, type Connections, settingOf, take } from './connections.ts'
import { Transaction, type TransactionTerms } from './execute.ts'
import type { AskedOfWrite } from './lanes.ts'
import { type Notice, noticeText } from './listener.ts'
import { commitOutcome, type Numbered } from './outcome.ts'
import { endLeftSession } from './left-sessions.ts'
import { beginningOf, refuseLaterSchema } from './write-state.ts'
import { scopeStatement } from './row-guard.ts'

/** Attempts after the first one. Conflicts end soon: of the transactions that meet, one gets on each time. */
const attempts: Readonly<Record<Patience, number>> = { full: 40, brief: 3 }

/** The first pause between two attempts, and the longest: milliseconds. Together some 15 seconds: a server may start meanwhile. */
const pauses = { first: 5, longest: 500 }

/** Attempts after a connection was lost, while the server cannot be reached. */
const attemptsWithoutServer: Readonly<Record<Patience, number>> = { full: 8, brief: 0 }

/** The parts of transactions that are the same in all of a store. */
export interface Terms extends Connections {
  /** True when the server tells whether a transaction was committed. */
  readonly tellsOutcomes: boolean
  /** True when the server hides the rows of other partitions (row-level security). */
  readonly guardsRows: boolean
  /** How a commit tells other instances of itself; undefined where it tells nobody. */
  readonly notice: Notice | undefined
}

type Mode = 'read' | 'write'

/** Runs a program that only reads, on one state of the store. A program that began is not begun again. */
export async function readIn<Result>(terms: Terms, program: () => Program<Result>, scope?: RowScope): Promise<Result> {
  const client = await take(terms)
  const transaction = new Transaction(client, termsOf(terms, client, 'read', scope))
  try {
    const result = await transaction.run(program())
    // The answer does not wait for the end of a transaction that changed nothing.
    finish(terms, client, transaction.commit())
    return result
  } catch (error) {
    giveBack(terms, client, error)
    throw error
  }
}

/**
 * Runs programs one after the other in one transaction, and begins anew when another transaction changed the same rows.
 * Resolves when it is durable.
 */
export async function writeIn(terms: Terms, programs: readonly (() => Program<void>)[], { patience, scope }: AskedOfWrite): Promise<void> {
  let lost = 0
  let unknown: unknown
  try {
    await pRetry(() => writeHeld(terms, programs, scope), {
      retries: attempts[patience],
      minTimeout: pauses.first,
      maxTimeout: pauses.longest,
      factor: 1.5,
      randomize: true,
      shouldRetry: ({ error }) => {
        if (isConflict(error)) return true
        if (!endsConnection(error) || (mayBeStored(error) && !knownAgain.has(error))) return false
        if (knownAgain.has(error)) unknown ??= error
        lost += 1
        return lost <= attemptsWithoutServer[patience]
      },
    })
  } catch (error) {
    // A later attempt could not tell what became of the first one.
    throw unknown ?? error
  }
}

/** Writes once more where something that was taken for granted has changed: the programs read it then. Nobody is waited for. */
async function writeHeld(...asked: Parameters<typeof writeOnce>): Promise<void> {
  try {
    await writeOnce(...asked)
  } catch (error) {
    if (!(error instanceof Unheld)) throw error
    await writeOnce(...asked)
  }
}

/** Failures after which a program that begins anew finds out itself what is stored. */
const knownAgain = new WeakSet<Error>()

function mayBeStored(error: unknown): boolean {
  return error instanceof StoreUnreachable && error.mayBeStored
}

async function writeOnce(terms: Terms, programs: readonly (() => Program<void>)[], scope: RowScope | undefined): Promise<void> {
  const client = await take(terms)
  const transaction = new Transaction(client, termsOf(terms, client, 'write', scope))
  try {
    for (const [place, program] of programs.entries()) await transaction.run(program(), place === programs.length - 1)
    await transaction.commit()
    if (transaction.isWhole) client.release()
  } catch (error) {
    const ended = giveBack(terms, client, error)
    // The next attempt takes the same connection, rather than a new one.
    if (isConflict(error)) await ended
    throw error
  }
}

function termsOf(terms: Terms, client: PoolClient & Connected, mode: Mode, scope: RowScope | undefined): TransactionTerms {
  return {
    opening: openingOf(terms, client, mode, scope),
    plainOpening: plainOpeningOf(terms, client, mode, scope),
    locks: mode === 'write',
    begun: (opened) => (mode === 'write' ? refuseLaterSchema(opened, terms.address.shown) : undefined),
    commit: endingOf(terms, client, mode),
    settle: async (error, opened, isAtOnce) => {
      // Whoever asks needs a connection, and others that lost theirs ask too.
      if (endsConnection(error)) letGo(terms, client)
      await settle(terms, error, { number: numberIn(opened), isKnownAgain: isAtOnce })
    },
  }
}

/**
 * The statements that end a transaction. A time-out must not end the wait of a commit for a standby: the server would then
 * acknowledge it all the same, with a warning (postgresql.org/docs/current/warm-standby.html, "Synchronous Replication").
 */
function endingOf({ notice }: Terms, { isPooled }: Connected, mode: Mode): readonly Sent[] {
  const sent = (name: string, text: string, values: readonly string[] = []): Sent => ({
    ...{ name: isPooled ? undefined : name, text, values, wantsRows: false },
  })
  const commit = sent('commit', 'commit')
  if (mode === 'read') return [commit]
  const told = notice === undefined ? [] : [sent('notice', noticeText, [notice.channel, notice.sender])]
  return [...told, sent('untimed', 'set local statement_timeout = 0'), commit]
}

interface OfCommit {
  /** Undefined where the server tells no outcomes, or was not asked. */
  readonly number: Numbered | undefined
  readonly isKnownAgain: boolean
}

/** Asks the server, on another connection, what became of a transaction whose commit was not answered. */
async function settle(terms: Terms, error: unknown, { number, isKnownAgain }: OfCommit): Promise<void> {
  if (!endsConnection(error)) throw error
  const outcome = number === undefined ? undefined : await commitOutcome(terms, number)
  if (outcome === 'committed') return
  if (outcome === 'aborted') throw error
  const reason = 'the connection was lost while a commit was under way'
  const unknown = new StoreUnreachable({ store: terms.address.shown, reason, mayBeStored: true }, { cause: error })
  if (isKnownAgain) knownAgain.add(unknown)
  throw unknown
}

/** The statements that begin a transaction. A writing one also tells its number, by which its outcome can be asked. */
function openingOf(terms: Terms, client: Connected, mode: Mode, scope: RowScope | undefined): readonly Sent[] {
  const opening = plainOpeningOf(terms, client, mode, scope)
  if (mode === 'read') return opening
  const name = client.isPooled ? undefined : 'state'
  return [...opening, { name, text: beginningOf(terms.tellsOutcomes), values: [], wantsRows: true }]
}

/** The same without answers. */
function plainOpeningOf(
  { guardsRows }: Terms,
  { isPooled, settings }: Connected,
  mode: Mode,
  scope: RowScope | undefined,
): readonly Sent[] {
  const begin = `begin isolation level repeatable read${mode === 'read' ? ', read only' : ''}`
  const named = (name: string): string | undefined => (isPooled ? undefined : name)
  return [
    { name: named(`begin_${mode}`), text: begin, values: [], wantsRows: false },
    ...(isPooled ? [{ name: undefined, text: settingOf(settings, 'transaction'), values: [], wantsRows: false }] : []),
    ...(guardsRows ? [scopeStatement(scope, named('scope'))] : []),
  ]
}

/** Reads the number of a transaction from the answers to its beginning. */
function numberIn(opened: readonly (readonly unknown[])[] | undefined): Numbered | undefined {
  const row = opened?.at(-1)?.[0]
  if (typeof row !== 'object' || row === null || !('number' in row) || !('life' in row)) return undefined
  const { number, life } = row
  return typeof number === 'string' && typeof life === 'string' ? { number, life } : undefined
}

/** Gives a connection back after a failure: one that can still be used is rolled back. */
async function giveBack(terms: Terms, client: PoolClient & Connected, error: unknown): Promise<void> {
  if (endsConnection(error)) letGo(terms, client)
  else await finish(terms, client, client.query('rollback'))
}

/** Gives a connection back once its transaction has ended; without an end it is closed. */
function finish(terms: Terms, client: PoolClient & Connected, ending: Promise<unknown>): Promise<void> {
  return ending.then(
    () => client.release(),
    () => letGo(terms, client),
  )
}

/** Connections that were closed. None is taken again. */
const gone = new WeakSet<PoolClient>()

/** Closes a connection, once, and ends what it left on the server. */
function letGo(terms: Terms, client: PoolClient & Connected): void {
  if (gone.has(client)) return
  gone.add(client)
  client.release(true)
  if (client.session !== undefined) void endLeftSession(terms, client.session)
}

/** Asks single values in a transaction that only reads. */
export async function askValues<Result>(terms: Terms, work: (ask: (sql: string) => Promise<string>) => Promise<Result>): Promise<Result> {
  const client = await take(terms)
  try {
    await sendAll(client, openingOf(terms, client, 'read', undefined))
    const result = await work(async (sql) => {
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
      return String(rows[0]?.[0] ?? '')
    })
    finish(terms, client, client.query('commit'))
    return result
  } catch (error) {
    giveBack(terms, client, error)
    throw error
  }
}
