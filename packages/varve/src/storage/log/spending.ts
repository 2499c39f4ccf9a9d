import { sql } from 'kysely'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'

/** Requests to language models, with their tokens. */
export interface Cost {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Input tokens that were read from the provider's cache, and written to it, as far as providers tell. */
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

/** The cost of requests of one project, model and set of layers that began within one quarter of an hour. */
export interface Spending extends Cost {
  readonly project: string
  /** The project's settings, as they are stored. */
  readonly settings: string
  readonly model: string
  /** Bits of the layers. */
  readonly layers: number
  /** The begin of the quarter of an hour: UTC milliseconds. */
  readonly at: number
}

/** Local days begin at a quarter of an hour of UTC, in every zone. */
const quarterMs = 900_000

const quarters = statement<{ from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('ledger')
    .leftJoin('project', 'project.id', 'ledger.project_id')
    .select((e) => [
      'project.name',
      'project.settings',
      'ledger.model',
      'ledger.layers',
      sql<number>`${sql.ref('ledger.began_at')} / ${sql.lit(quarterMs)}`.as('quarter'),
      e.fn.countAll<number>().as('calls'),
      d.sum(sql.ref('input_tokens')).as('input'),
      d.sum(sql.ref('output_tokens')).as('output'),
      d.sum(sql<number>`coalesce(cache_read_tokens, 0)`).as('read'),
      d.sum(sql<number>`coalesce(cache_write_tokens, 0)`).as('written'),
    ])
    .where('ledger.began_at', '>=', p('from'))
    .where('ledger.began_at', '<=', p('to'))
    .groupBy(['project.name', 'project.settings', 'ledger.model', 'ledger.layers', 'quarter']),
)

/** Adds up the requests that began within [from, to]. */
export function* spending(from: number, to: number): Program<readonly Spending[]> {
  return (yield* all(quarters, { from, to })).map((row) => ({
    project: row.name ?? '',
    settings: row.settings ?? '{}',
    model: row.model,
    layers: row.layers,
    at: row.quarter * quarterMs,
    calls: row.calls,
    inputTokens: row.input,
    outputTokens: row.output,
    cacheReadTokens: row.read,
    cacheWriteTokens: row.written,
  }))
}
