import type { Connection, PoolClient, Submittable } from 'pg'
import { sqlStateOf, Unheld } from './classify.ts'
import { readerOf } from './types.ts'

/** A statement on its way to the server. */
export interface Sent {
  /** The name under which a session keeps it; undefined behind a pooler, where the next session may be another one. */
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
  readonly wantsRows: boolean
  /** True for a condition: the server divides by zero where it does not hold. */
  readonly isCondition?: boolean
}

type Row = Readonly<Record<string, unknown>>

/** A column of an answer. */
interface Field {
  readonly name: string
  readonly dataTypeID: number
}

interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

/** The statements that a session of the server keeps, by name, with the columns of those whose rows were described. */
const keptIn = new WeakMap<Connection, Map<string, readonly Column[] | undefined>>()

const divisionByZero = '22012'

/** Statements whose text the server refuses are not kept by it. */
const refusedText = /^42/

/**
 * Sends statements in one go, and returns the rows of each: one round trip, whatever their number. The driver's own
 * pipelining asks for an end after each statement, which costs both sides as much as a small statement does.
 *
 * The first failure ends them: the server skips those behind it.
 */
export function sendAll(client: Pick<PoolClient, 'query'>, list: readonly Sent[]): Promise<readonly (readonly Row[])[]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(list, resolve, reject))
  })
}

/** Speaks the extended query protocol (postgresql.org/docs/current/protocol-flow.html) through the driver's connection. */
class Batch implements Submittable {
  /** The driver puts a function in its place that also ends its timer. */
  callback: () => void = () => undefined
  readonly #list: readonly Sent[]
  readonly #resolve: (rows: readonly (readonly Row[])[]) => void
  readonly #reject: (error: unknown) => void
  readonly #rows: Row[][] = []
  /** The names that this batch is the first to send, by their place in it. */
  readonly #fresh = new Map<string, number>()
  #kept = new Map<string, readonly Column[] | undefined>()
  #columns: readonly Column[] | undefined
  #place = 0

  constructor(list: readonly Sent[], resolve: (rows: readonly (readonly Row[])[]) => void, reject: (error: unknown) => void) {
    this.#list = list
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    this.#kept = keptOf(connection)
    const chunks: Buffer[] = []
    // PGlite's connection has no socket, and passes each message on itself.
    const collecting = '_send' in connection ? collectingIn(connection, chunks) : connection
    for (const [place, sent] of this.#list.entries()) this.#write(collecting, sent, place)
    // Before the end: PGlite's answers may come within it.
    this.#begin()
    collecting.sync()
    if (chunks.length > 0) connection.stream.write(Buffer.concat(chunks))
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) }))
    const name = this.#list[this.#place]?.name
    if (name !== undefined) this.#kept.set(name, this.#columns)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.#columns
    if (columns === undefined) return
    const row: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at]
      const text = fields[at]
      if (column !== undefined) row[column.name] = text === null || text === undefined ? null : column.read(text)
    }
    this.#rows[this.#place]?.push(row)
  }

  handleCommandComplete(): void {
    this.#place += 1
    this.#begin()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  handlePortalSuspended(): void {
    // No statement here asks for some of its rows alone.
  }

  handleError(error: unknown): void {
    const isKept = !refusedText.test(sqlStateOf(error))
    for (const [name, place] of this.#fresh) if (place > this.#place || (place === this.#place && !isKept)) this.#kept.delete(name)
    this.callback()
    const isUnheld = this.#list[this.#place]?.isCondition === true && sqlStateOf(error) === divisionByZero
    this.#reject(isUnheld ? new Unheld() : error)
  }

  handleReadyForQuery(): void {
    this.callback()
    this.#resolve(this.#rows)
  }

  #write(connection: Connection, { name = '', text, values, wantsRows }: Sent, place: number): void {
    if (name === '' || !this.#kept.has(name)) {
      connection.parse({ name, text, types: [] }, true)
      if (name !== '') this.#fresh.set(name, place)
      if (name !== '') this.#kept.set(name, undefined)
    }
    connection.bind({ statement: name, values: values.map(asSent) }, true)
    if (wantsRows && this.#kept.get(name) === undefined) connection.describe({ type: 'P', name: '' }, true)
    connection.execute({ portal: '' }, true)
  }

  #begin(): void {
    this.#rows[this.#place] = []
    const name = this.#list[this.#place]?.name
    this.#columns = name === undefined ? undefined : this.#kept.get(name)
  }
}

/** A connection that gathers its messages. Written one by one, even corked, they take the system several times as long. */
function collectingIn(connection: Connection, chunks: Buffer[]): Connection {
  return Object.create(connection, { _send: { value: (chunk: Buffer) => chunks.push(chunk) > 0 } })
}

function keptOf(connection: Connection): Map<string, readonly Column[] | undefined> {
  const known = keptIn.get(connection)
  if (known !== undefined) return known
  const made = new Map<string, readonly Column[] | undefined>()
  keptIn.set(connection, made)
  return made
}

/** Numbers travel as text, bytes as they are. */
function asSent(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return String(value)
}
