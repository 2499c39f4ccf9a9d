import { sql } from 'kysely'
import type { CallEnd } from '../../models/language-model.ts'
import { allLayersIn, type Layer } from '../layers.ts'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { type Program, all, first, run } from '../program.ts'
import type { LedgerTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'

/** The time that the ledger keeps a request: sixteen months, so that a year can be compared with the one before. */
const keptMs = 490 * 86_400_000

/** A request before it is sent. */
export interface NewCall {
  readonly project: number
  readonly task: string
  /** Bits of the layers that the request is for. */
  readonly layers: number
  readonly model: string
  /** Estimated input tokens. */
  readonly tokens: number
  /** The run of upkeep that makes it: a uuid, as text or in bytes. Absent for a call that a caller asked for. */
  readonly run?: string | Uint8Array | undefined
}

/** The ceilings of a day, and the time at which that day began in the project's zone. */
export interface Ceiling {
  readonly calls: number | undefined
  readonly tokens: number | undefined
  readonly since: number
}

/** A request to a language model. Tokens are the provider's own count. */
export interface LedgerEntry {
  readonly project: string
  readonly task: string
  readonly layers: readonly Layer[]
  readonly model: string
  /** UTC milliseconds. */
  readonly at: number
  readonly ms: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Input tokens that the provider read from its cache, and wrote to it; absent when it does not tell. */
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  /** `pending` while the request runs, and for good when the process ended meanwhile. */
  readonly outcome: string
}

const insert = statement<Omit<LedgerTable, 'id' | 'cache_read_tokens' | 'cache_write_tokens'>>()((db, p) =>
  db
    .insertInto('ledger')
    .values({
      project_id: p('project_id'),
      task: p('task'),
      layers: p('layers'),
      model: p('model'),
      began_at: p('began_at'),
      ms: p('ms'),
      input_tokens: p('input_tokens'),
      output_tokens: p('output_tokens'),
      outcome: p('outcome'),
      run: p('run'),
    })
    .returning('id'),
)

interface End {
  readonly id: number
  readonly ms: number
  readonly input: number
  readonly output: number
  readonly read: number | null
  readonly written: number | null
  readonly outcome: string
}

const end = statement<End>()((db, p) =>
  db
    .updateTable('ledger')
    .set({
      ms: p('ms'),
      input_tokens: p('input'),
      output_tokens: p('output'),
      cache_read_tokens: p('read'),
      cache_write_tokens: p('written'),
      outcome: p('outcome'),
    })
    .where('id', '=', p('id')),
)

const spent = statement<{ project: number; since: number }>()((db, p, d) =>
  db
    .selectFrom('ledger')
    .select((e) => [
      e.fn.countAll<number>().as('calls'),
      sql<number>`coalesce(${d.sum(sql`input_tokens + output_tokens`)}, 0)`.as('tokens'),
    ])
    .where('project_id', '=', p('project'))
    .where('began_at', '>=', p('since')),
)

const prune = statement<{ project: number; before: number }>()((db, p) =>
  db.deleteFrom('ledger').where('project_id', '=', p('project')).where('began_at', '<', p('before')),
)

interface Range {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly limit: number
}

/** Gives the size of a request's text. A function, because the published package has no query builder. */
const bytes = () => sql<number>`octet_length(task) + octet_length(model) + octet_length(outcome)`

const sizesOfAll = statement<Range>()((db, p) =>
  db
    .selectFrom('ledger')
    .select(['id as key', bytes().as('bytes')])
    .where('began_at', '>=', p('from'))
    .where('began_at', '<=', p('to'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const sizesOfProject = statement<Range & { project: string }>()((db, p) =>
  db
    .selectFrom('ledger')
    .select(['id as key', bytes().as('bytes')])
    .where('project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
    .where('began_at', '>=', p('from'))
    .where('began_at', '<=', p('to'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const byIds = statement<{ ids: string }>()((db, p, d) =>
  db
    .selectFrom('ledger')
    .leftJoin('project', 'project.id', 'ledger.project_id')
    .selectAll('ledger')
    .select('project.name')
    .where('ledger.id', 'in', d.numbers(p('ids'))),
)

const dropOfProject = statement<{ project: number }>()((db, p) => db.deleteFrom('ledger').where('project_id', '=', p('project')))

/**
 * Notes a request before it is sent, and returns its number. Returns undefined when it would pass the day's ceiling:
 * then it must not be sent.
 */
export function* beginCall(call: NewCall, ceiling: Ceiling, now: number): Program<number | undefined> {
  if (ceiling.calls !== undefined || ceiling.tokens !== undefined) {
    const today = yield* first(spent, { project: call.project, since: ceiling.since })
    if (today !== undefined && (today.calls + 1 > (ceiling.calls ?? Infinity) || today.tokens + call.tokens > (ceiling.tokens ?? Infinity)))
      return undefined
  }
  yield* run(prune, { project: call.project, before: now - keptMs })
  const rows = yield* all(insert, {
    project_id: call.project,
    task: call.task,
    layers: call.layers,
    model: call.model,
    began_at: now,
    ms: 0,
    input_tokens: call.tokens,
    output_tokens: 0,
    outcome: 'pending',
    run: typeof call.run === 'string' ? (uuidBytes(call.run) ?? null) : (call.run ?? null),
  })
  return rows[0]?.id
}

export function endCall(id: number, { ms, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, outcome }: CallEnd): Program<void> {
  const [read, written] = [wholeOrNull(cacheReadTokens), wholeOrNull(cacheWriteTokens)]
  return run(end, { id, ms: Math.round(ms), input: Math.round(inputTokens), output: Math.round(outputTokens), read, written, outcome })
}

function wholeOrNull(tokens: number | undefined): number | null {
  return tokens === undefined ? null : Math.round(tokens)
}

/** Returns the requests begun within [from, to], newest first; of one project, or of all. */
export function* ledger(project: string | undefined, from: number, to: number, request: ListRequest): Program<Listed<LedgerEntry>> {
  const [before] = placeOf('call', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const { limit } = request
  const range = { from, to, before: Number(before), limit: limit + 1 }
  const places = project === undefined ? yield* all(sizesOfAll, range) : yield* all(sizesOfProject, { project, ...range })
  return yield* pageOf(
    { places, limit, cursorOf: ({ key }) => cursorTo('call', key) },
    (ids) => all(byIds, { ids: JSON.stringify(ids) }),
    (row) => row.id,
    entryOf,
  )
}

function entryOf(row: LedgerTable & { readonly name: string | null }): LedgerEntry {
  return {
    project: row.name ?? '',
    task: row.task,
    layers: allLayersIn(row.layers),
    model: row.model,
    at: row.began_at,
    ms: row.ms,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    ...(row.cache_read_tokens === null ? {} : { cacheReadTokens: row.cache_read_tokens }),
    ...(row.cache_write_tokens === null ? {} : { cacheWriteTokens: row.cache_write_tokens }),
    outcome: row.outcome,
  }
}

export function dropLedger(project: number): Program<void> {
  return run(dropOfProject, { project })
}
