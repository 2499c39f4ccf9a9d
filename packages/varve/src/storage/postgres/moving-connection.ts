import type { Client } from 'pg'
import { rowsAlreadyThere } from '../moved-rows.ts'
import type { MovedTable, RowBatch } from '../moving.ts'
import type { PostgresAddress } from './address.ts'
import { classifyPostgres, sqlStateOf } from './classify.ts'
import { copyIn, copyOut, type CopyStreams, loadCopyStreams } from './copy-streams.ts'
import { loadDriver } from './driver.ts'
import { types } from './types.ts'

/** The longest wait for a connection: milliseconds. */
const connectMs = 10_000

/** A row with the same key, or with the same unique values. */
const alreadyThere = '23505'

/** The longest wait for those who write to a table at this moment: milliseconds. */
const lockMs = 10_000

/**
 * A connection of a move's own. Those of the engine send queries ahead, and no COPY goes that way. Its transactions may
 * take as long as the move does. Row-level security that would hide rows is an error here.
 */
export class MovingConnection {
  readonly client: Client
  readonly #streams: CopyStreams
  readonly #address: PostgresAddress

  private constructor(client: Client, streams: CopyStreams, address: PostgresAddress) {
    this.client = client
    this.#streams = streams
    this.#address = address
  }

  static async open(address: PostgresAddress): Promise<MovingConnection> {
    const [url] = address.urls
    const [{ Client }, streams] = await Promise.all([loadDriver(), loadCopyStreams()])
    const config = { connectionString: url, application_name: 'varve migrate', keepAlive: true, connectionTimeoutMillis: connectMs, types }
    const client = new Client(config)
    // A connection that breaks is told by the query that is under way, or by the next one.
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch (error) {
      await client.end()
      throw classifyPostgres(error, url, 'move')
    }
    return new MovingConnection(client, streams, address)
  }

  async begin(mode: string): Promise<void> {
    const { schema } = this.#address
    const settings = [
      'set local statement_timeout = 0',
      'set local idle_in_transaction_session_timeout = 0',
      `set local lock_timeout = ${lockMs}`,
      'set local row_security = off',
      ...(schema === undefined ? [] : [`set local search_path = "${schema}"`]),
    ]
    await this.client.query([`begin ${mode}`, ...settings].join('; '))
  }

  async transaction<Result>(mode: string, work: () => Promise<Result>): Promise<Result> {
    await this.begin(mode)
    try {
      const result = await work()
      await this.client.query('commit')
      return result
    } catch (error) {
      // Where the connection is gone, the first error tells it.
      await Promise.allSettled([this.client.query('rollback')])
      throw this.told(error)
    }
  }

  /** Turns an error of the driver into one of ours. */
  told(error: unknown): Error {
    return classifyPostgres(error, this.#address.urls[0], 'move')
  }

  /** Asks for one value. */
  async value(text: string, values: readonly unknown[] = []): Promise<unknown> {
    const { rows } = await this.client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })
    return rows[0]?.[0]
  }

  async count({ name }: MovedTable): Promise<number> {
    return Number(await this.value(`select count(*) from "${name}"`))
  }

  async *rows({ name, columns, order }: MovedTable, from: number): AsyncGenerator<RowBatch> {
    const query = `select ${quoted(columns)} from "${name}" order by ${order.map((column) => `"${column}"`).join(', ')} offset ${from}`
    try {
      yield* copyOut(this.#streams, this.client, query)
    } catch (error) {
      throw this.told(error)
    }
  }

  async copyIn({ name, columns }: MovedTable, rows: RowBatch): Promise<void> {
    try {
      await copyIn(this.#streams, this.client, `"${name}" (${quoted(columns)})`, rows)
    } catch (error) {
      if (sqlStateOf(error) === alreadyThere) throw rowsAlreadyThere(this.#address.shown, name, error)
      throw error
    }
  }

  async close(): Promise<void> {
    await this.client.end()
  }
}

function quoted(columns: MovedTable['columns']): string {
  return columns.map(({ name }) => `"${name}"`).join(', ')
}
