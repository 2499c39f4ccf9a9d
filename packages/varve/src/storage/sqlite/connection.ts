/** The members of a SQLite connection that Varve uses. The driver's own types stay out of the published types. */
export interface Connection {
  readonly name: string
  readonly open: boolean
  readonly inTransaction: boolean
  prepare<Params extends unknown[] = unknown[], Row = unknown>(sql: string): PreparedStatement<Params, Row>
  exec(sql: string): unknown
  pragma(text: string, options?: { simple?: boolean }): unknown
  /** Copies pages to a file in turns. `progress` gives the number of pages of the next turn. */
  backup(file: string, options: { readonly progress: () => number }): Promise<unknown>
  close(): unknown
}

export interface PreparedStatement<Params extends unknown[] = unknown[], Row = unknown> {
  all(...params: Params): Row[]
  get(...params: Params): Row | undefined
  iterate(...params: Params): IterableIterator<Row>
  run(...params: Params): unknown
  /** Rows come as lists of their values. */
  raw(): PreparedStatement<Params, Row>
  pluck(): PreparedStatement<Params, unknown>
}
