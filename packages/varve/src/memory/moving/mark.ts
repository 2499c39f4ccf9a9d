import * as z from 'zod'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import { type MovedTable, movingKey } from '../../storage/moving.ts'
import type { Sides } from './request.ts'

const rowsByTable = z.record(z.string(), z.number().int().nonnegative())

/** What the target says of a move that has not ended: numbers and names of tables, and nobody's words. */
const marks = z.object({ source: z.string(), schema: z.number(), totals: rowsByTable, done: rowsByTable })

type Fields = z.infer<typeof marks>

/** The mark of a move, as it stands in the target. */
export interface Mark extends Fields {
  readonly text: string
  /** The rows that were moved. */
  readonly moved: number
}

function markOf(fields: Fields): Mark {
  const moved = Object.values(fields.done).reduce((sum, rows) => sum + rows, 0)
  return { ...fields, text: JSON.stringify(fields), moved }
}

/** Gives the mark after more rows of a table. */
export function advanced({ source, schema, totals, done }: Mark, { name }: MovedTable, rows: number): Mark {
  return markOf({ source, schema, totals, done: { ...done, [name]: (done[name] ?? 0) + rows } })
}

/** Begins a move, or goes on with one that the target has. Refuses a target with the move of another store, or of an older state. */
export async function beginOrResume(sides: Sides): Promise<Mark> {
  const { source, target } = sides
  refuseOtherTables(sides)
  const meta = await source.meta()
  const totals: Record<string, number> = {}
  for (const table of source.tables) totals[table.name] = await source.count(table)
  const fresh = markOf({ source: meta.get('store_id') ?? '', schema: source.schemaVersion, totals, done: {} })
  const standing = await target.mark()
  if (standing !== undefined) return resumed(markOf(marks.parse(JSON.parse(standing))), fresh, target.shown)
  await target.begin(new Map([...meta].filter(([key]) => key !== movingKey)), fresh.text)
  return fresh
}

function resumed(standing: Mark, fresh: Mark, to: string): Mark {
  const refused = (of: string): InvalidOption =>
    new InvalidOption({ option: 'to', received: to, expected: `an empty store: it has the unfinished move of ${of}` })
  if (standing.source !== fresh.source) throw refused('another store')
  if (standing.schema !== fresh.schema) throw refused('an older Varve')
  const changed = Object.keys(fresh.totals).find((name) => fresh.totals[name] !== standing.totals[name])
  if (changed !== undefined)
    throw refused(
      `this store as it was: since then its rows in ${changed} became ${fresh.totals[changed]}, and were ${standing.totals[changed]}`,
    )
  return standing
}

/** A table or a column that only one store has would be lost, or be without a value. */
function refuseOtherTables({ source, target }: Sides): void {
  if (source.schemaVersion !== target.schemaVersion)
    throw different(`schema ${source.schemaVersion} of ${source.shown} is not schema ${target.schemaVersion} of ${target.shown}`)
  const [of, other] = [columnsOf(source.tables), columnsOf(target.tables)]
  const lacking = [...of.difference(other), ...other.difference(of)][0]
  if (lacking !== undefined) throw different(`${lacking} is only in ${of.has(lacking) ? source.shown : target.shown}`)
}

function columnsOf(tables: readonly MovedTable[]): ReadonlySet<string> {
  return new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} (${column.kind})`)))
}

function different(reason: string): StoreFailed {
  return new StoreFailed({ operation: 'move', reason: `the two stores do not have the same tables: ${reason}` })
}
