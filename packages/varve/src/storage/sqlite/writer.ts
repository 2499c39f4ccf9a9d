import { MemoryClosed } from '../../errors/memory-closed.ts'
import type { Patience } from '../patience.ts'
import type { Program } from '../program.ts'
import { breaksConnection, classify, isLocked } from './classify.ts'
import { execute } from './execute.ts'
import { busyTimeoutMs } from './open-connection.ts'
import { hasRoomForLog, keepReserve, releaseReserve } from './reserve.ts'
import type { Connection, PreparedStatement } from './connection.ts'
import { StandingFile } from './standing-file.ts'

interface Waiting {
  readonly program: () => Program<unknown>
  readonly weight: number
  readonly patience: Patience
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** The most that one commit carries, in messages: it bounds how long an acknowledgement waits for the others. */
export const maxCommitWeight = 500

/** The work after which an open store has its reserve first: messages, or half KiB of text each. */
const weightWithReserve = 1_000

/** The longest wait for another process's lock when every request of a commit has brief patience: milliseconds. */
const briefTimeoutMs = 50

/** The time after such a wait in vain in which no further one is made: milliseconds. */
const noWaitMs = 500

/** A connection with the statements of each commit. */
interface Line {
  readonly connection: Connection
  readonly begin: PreparedStatement
  readonly commit: PreparedStatement
}

/** The size at which the log is moved into the database: pages of 4 KiB (SQLite's default is 1,000). */
const checkpointPages = 4_000

/**
 * The one writer of a store within a process. Requests that come together share a transaction and its fsync (group
 * commit). A refused request changes nothing. A promise resolves when its commit is durable.
 */
export class Writer {
  readonly #file: string
  readonly #standing: StandingFile
  readonly #reopen: () => Connection
  /** The work since the store was opened, and the work after which its reserve is looked at next. */
  #weight = 0
  #nextReserve = weightWithReserve
  /** True when deleted rows are not zeroed: the next erasure of bytes rewrites the file. */
  #sparing = false
  /** The end of the time in which brief requests do not wait, by performance.now. */
  #noWaitUntil = 0
  #line: Line
  #waiting: Waiting[] = []
  #scheduled = false
  #closed = false

  /** `standing` is noted before the connection is opened. By default it is the file as it is now. */
  constructor(file: string, connection: Connection, reopen: () => Connection, standing = new StandingFile(file)) {
    this.#file = file
    this.#standing = standing
    this.#line = lineOf(connection)
    this.#reopen = reopen
  }

  /** The connection, opened anew when the last one broke. StoreGone where the path has no longer its file. */
  get connection(): Connection {
    return this.#open().connection
  }

  /** Closes a connection under which something failed that it is not trusted after. The next use opens one anew. */
  giveUp(error: unknown): void {
    if (breaksConnection(error)) this.#line.connection.close()
  }

  /** True when the file has erased words that nobody zeroed. */
  get isSparing(): boolean {
    return this.#sparing
  }

  /**
   * Makes room on a full disk for what must be forgotten: gives up the reserve, and zeroes no deleted rows until the file
   * is rewritten. Zeros take as much of the log as the words did. Returns whether it changed anything.
   */
  makeRoom(): boolean {
    const isChange = releaseReserve(this.#file) || !this.#sparing
    this.#sparing = true
    const { connection } = this.#open()
    spare(connection)
    // With the log in the store, its own space is free again.
    if (hasRoomForLog(connection)) connection.pragma('wal_checkpoint(PASSIVE)')
    return isChange
  }

  /** Zeroes deleted rows again, once the file was rewritten, and keeps a reserve anew. */
  endSparing(): void {
    this.#sparing = false
    this.#line.connection.pragma('secure_delete = ON')
    keepReserve(this.#file)
  }

  /** Queues a program for the next commit. `program` may be started more than once, never twice in one commit. */
  write<Result>(program: () => Program<Result>, weight = 1, patience: Patience = 'full'): Promise<Result> {
    const written = new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ program, weight, patience, resolve, reject })
    })
    if (!this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => this.#flush())
    }
    // Each program resolves with its own result.
    return written as Promise<Result>
  }

  /** Writes all waiting requests, then closes. */
  close(): void {
    while (this.#waiting.length > 0) this.#flush()
    this.#closed = true
    // Without room for it, the checkpoint of the last close would take the space that is left, and not succeed.
    if (this.#sparing) keepReserve(this.#file)
    this.#line.connection.close()
  }

  #open(): Line {
    if (this.#closed) throw new MemoryClosed()
    this.#standing.mustStand()
    if (this.#line.connection.open) return this.#line
    this.#line = lineOf(this.#reopen())
    if (this.#sparing) spare(this.#line.connection)
    return this.#line
  }

  #flush(): void {
    this.#scheduled = false
    const batch = this.#take()
    if (batch.length > 0) this.#commitOrReject(batch)
    if (this.#waiting.length > 0 && !this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => this.#flush())
    }
  }

  #take(): Waiting[] {
    let weight = 0
    let count = 0
    for (const waiting of this.#waiting) {
      weight += waiting.weight
      if (count > 0 && weight > maxCommitWeight) break
      count += 1
    }
    return this.#waiting.splice(0, count)
  }

  #commitOrReject(batch: readonly Waiting[]): void {
    try {
      this.#commit(batch)
    } catch (error) {
      this.#abandon(error)
      const reason = classify(error, this.#file, 'commit')
      for (const { reject } of batch) reject(reason)
    }
  }

  /** Refusals are rare, so a batch runs without savepoints (a fifth of its cost); after one, each request has a commit of its own. */
  #commit(batch: readonly Waiting[]): void {
    const line = this.#open()
    const { connection, commit } = line
    this.#begin(line, batch)
    const results: unknown[] = []
    try {
      for (const { program } of batch) results.push(execute(connection, program()))
    } catch (error) {
      // SQLite may have ended the transaction by itself, and after a failed write it must not go on: then nothing of
      // the batch is stored.
      if (batch.length === 1 || !connection.inTransaction || breaksConnection(error)) throw error
      connection.exec('ROLLBACK')
      for (const waiting of batch) this.#commitOrReject([waiting])
      return
    }
    commit.run()
    // A file that was deleted takes it too, and with it it is lost: that is not acknowledged.
    this.#standing.mustStand()
    this.#reserve(batch)
    for (const [place, { resolve }] of batch.entries()) resolve(results[place])
  }

  /** Begins a transaction. Only this waits for another process's lock. */
  #begin({ connection, begin }: Line, batch: readonly Waiting[]): void {
    if (batch.some(({ patience }) => patience === 'full')) {
      begin.run()
      return
    }
    const waits = performance.now() >= this.#noWaitUntil
    connection.pragma(`busy_timeout = ${waits ? briefTimeoutMs : 0}`)
    try {
      begin.run()
    } catch (error) {
      if (waits && isLocked(error)) this.#noWaitUntil = performance.now() + noWaitMs
      throw error
    } finally {
      connection.pragma(`busy_timeout = ${busyTimeoutMs}`)
    }
  }

  /** Keeps a reserve once the store has grown, and a larger one as it grows. Short programs with a new store make none. */
  #reserve(batch: readonly Waiting[]): void {
    for (const { weight } of batch) this.#weight += weight
    // A sparing writer gave the reserve up to be used.
    if (this.#weight < this.#nextReserve || this.#sparing) return
    this.#nextReserve = 1.25 * this.#weight
    keepReserve(this.#file)
  }

  /** After a failed commit the connection is not trusted again: a failed fsync may have dropped written pages. */
  #abandon(error: unknown): void {
    try {
      const { connection } = this.#line
      if (connection.open && connection.inTransaction) connection.exec('ROLLBACK')
    } catch (rollback) {
      if (!(rollback instanceof Error)) throw rollback
    }
    this.giveUp(error)
  }
}

function spare(connection: Connection): void {
  connection.pragma('secure_delete = OFF')
  // A page that does not fit in memory goes to the log, even if the same transaction frees it later. 64 MiB.
  connection.pragma('cache_size = -65536')
}

function lineOf(connection: Connection): Line {
  connection.pragma(`wal_autocheckpoint = ${checkpointPages}`)
  return { connection, begin: connection.prepare('BEGIN IMMEDIATE'), commit: connection.prepare('COMMIT') }
}
