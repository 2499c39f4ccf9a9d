import type { StoreEngine } from './store-engine.ts'

/** The types of columns that the tables have. A real number is one of 64 bits. */
export type ColumnKind = 'whole' | 'real' | 'text' | 'bytes'

/** A column of a table, as a move reads and writes it. */
export interface MovedColumn {
  readonly name: string
  readonly kind: ColumnKind
}

/** A table as a database's own catalogue tells it. */
export interface MovedTable {
  readonly name: string
  /** In the order of their names; `partition_id` comes first where there is one. */
  readonly columns: readonly MovedColumn[]
  /** The order in which its rows are read: each engine has its own. */
  readonly order: readonly string[]
}

/** Rows in one form for every engine (storage/packed-row.ts), at most about `mostBatchBytes`. */
export type RowBatch = readonly Buffer[]

/** The bounds of a batch. A single row may be longer: a message has at most 1 MiB. */
export const mostBatchBytes = 4 * 1024 * 1024
export const mostBatchRows = 10_000

/** Tables that are not moved as rows: each engine keeps its own books of its schema, and the mark of a move is in `meta`. */
export const ownBooks: readonly string[] = ['meta', 'schema_migration']

/** The row of `meta` that says that the store is the target of a move that has not ended. */
export const movingKey = 'moving'

/** Why such a store is refused to everybody else. */
export const unfinishedMove = 'another store is being moved into it: let varve migrate end, or run it again'

/** The last numbers given out, by the name of the table. A number is never given out twice. */
export type LastNumbers = ReadonlyMap<string, number>

/** A store whose rows can be read while nobody else writes to it. */
export interface MovingSide {
  /** The place as it may be shown. */
  readonly shown: string
  readonly schemaVersion: number
  readonly tables: readonly MovedTable[]
  /** Runs the store's programs, although other opens are refused meanwhile. It reads only. */
  readonly programs: StoreEngine
  /** Counts the rows of a table. */
  count(table: MovedTable): Promise<number>
  /** Reads the rows of a table in its order, without the first `from` ones. */
  rows(table: MovedTable, from: number): AsyncIterable<RowBatch>
  /** Lets go of the store. */
  release(): Promise<void>
}

/** The store that is moved. It is held: whoever writes to it meanwhile waits, or is refused. */
export interface MovingSource extends MovingSide {
  /** The rows of `meta`: the id of the store, its secret, and whatever else is there. */
  meta(): Promise<ReadonlyMap<string, string>>
  counters(): Promise<LastNumbers>
}

/** The store that is made. It has a mark in `meta` from its first row on until it was verified. */
export interface MovingTarget extends MovingSide {
  /** The mark of a move that has not ended; undefined for none. */
  mark(): Promise<string | undefined>
  /** Takes an empty store: replaces its `meta`, and sets the mark. */
  begin(meta: ReadonlyMap<string, string>, mark: string): Promise<void>
  /**
   * Stores rows in one transaction with a new mark, which replaces `before`. Rejects with StoreBusy when another move has
   * changed the mark.
   */
  store(table: MovedTable, rows: RowBatch, mark: { readonly before: string; readonly after: string }): Promise<void>
  /** Makes the server know the sizes of the tables, once all rows are there. */
  settle(): Promise<void>
  /** Sets the counters and removes the mark. Resolves when all is durable. */
  end(counters: LastNumbers, mark: string): Promise<void>
}

/** Orders the columns of a table alike on every engine. */
export function inMovedOrder(columns: readonly MovedColumn[]): readonly MovedColumn[] {
  const place = ({ name }: MovedColumn): string => (name === 'partition_id' ? '' : name)
  return columns.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}
