import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import type { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import { mostBatchBytes, mostBatchRows, type RowBatch } from '../moving.ts'
import { isMissingPackage } from './driver.ts'

/** The part of the package `pg-copy-streams` that Varve uses. */
export interface CopyStreams {
  readonly from: typeof copyFrom
  readonly to: typeof copyTo
}

/** Begins a binary COPY: a signature, no flags, no extension (postgresql.org/docs/current/sql-copy.html). */
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const header = Buffer.concat([signature, Buffer.alloc(8)])

/** Stands in the place of the number of values after the last row. */
const noMoreRows = -1
const trailer = Buffer.from([0xff, 0xff])

/** Bytes that a COPY reads ahead of its reader. */
const readAheadBytes = 1024 * 1024

/** Loads the package that speaks COPY, which a user installs beside the driver. */
export async function loadCopyStreams(): Promise<CopyStreams> {
  try {
    return await import(/* webpackIgnore: true */ 'pg-copy-streams')
  } catch (error) {
    if (!isMissingPackage(error)) throw error
    throw new InvalidConfiguration(
      {
        setting: 'store',
        reason: 'is moved by COPY, and the package pg-copy-streams is not installed here; install it with: npm install pg-copy-streams',
      },
      { cause: error },
    )
  }
}

/** Sends rows to a table. Resolves when the server has taken all of them. */
export async function copyIn(streams: CopyStreams, client: Client, target: string, rows: RowBatch): Promise<void> {
  const stream = client.query(streams.from(`copy ${target} from stdin (format binary)`))
  stream.end(Buffer.concat([header, ...rows, trailer]))
  await finished(stream)
}

/** Reads the rows of a query. A reader that ends early leaves the connection in the middle of them: close it. */
export async function* copyOut(streams: CopyStreams, client: Client, query: string): AsyncGenerator<RowBatch> {
  const stream = client.query(streams.to(`copy (${query}) to stdout (format binary)`, { highWaterMark: readAheadBytes }))
  const rows = new RowReader()
  let batch: Buffer[] = []
  let bytes = 0
  const chunks: AsyncIterable<Buffer> = stream
  for await (const chunk of chunks) {
    for (const row of rows.read(chunk)) {
      batch.push(row)
      bytes += row.length
      if (bytes < mostBatchBytes && batch.length < mostBatchRows) continue
      yield batch
      batch = []
      bytes = 0
    }
  }
  if (batch.length > 0) yield batch
}

/** Finds the rows in chunks that end anywhere. */
class RowReader {
  #rest: Buffer = Buffer.alloc(0)
  #isBegun = false
  #isEnded = false

  /** Returns the end of a row that is there whole. */
  #endOf(all: Buffer, begin: number): number | undefined {
    if (this.#isEnded || all.length < begin + 2) return undefined
    const values = all.readInt16BE(begin)
    if (values === noMoreRows) {
      this.#isEnded = true
      return undefined
    }
    let at = begin + 2
    for (let place = 0; place < values; place += 1) {
      if (all.length < at + 4) return undefined
      at += 4 + Math.max(0, all.readInt32BE(at))
    }
    return at <= all.length ? at : undefined
  }

  *read(chunk: Buffer): Generator<Buffer> {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    if (!this.#isBegun) {
      if (all.length < header.length) {
        this.#rest = all
        return
      }
      at = header.length
      this.#isBegun = true
    }
    for (let end = this.#endOf(all, at); end !== undefined; end = this.#endOf(all, at)) {
      yield all.subarray(at, end)
      at = end
    }
    this.#rest = all.subarray(at)
  }
}
