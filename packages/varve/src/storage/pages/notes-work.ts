import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { bitOf } from '../layers.ts'
import { moveNoted } from './pages.ts'
import type { PageTable } from '../page-tables.ts'
import { derivedKind } from '../partitions.ts'
import { type Program, all, first } from '../program.ts'
import { statement } from '../statement.ts'
import { workKinds } from '../work.ts'

/** A session whose notes may be due: its counts, and its project's settings. */
export interface CountedSession {
  readonly session: number
  readonly partition: number
  readonly recordedAt: number
  readonly mainTokens: number
  readonly mainCalls: number
  readonly mainPause: number
  /** Null before its first notes. */
  readonly notedTokens: number | null
  readonly notedCalls: number | null
  readonly settings: string
}

/** The time now, and the time since when a message must have been recorded: UTC milliseconds. */
export interface GrownAt {
  readonly now: number
  readonly since: number
}

/** The number of sessions that are looked at together. */
const perList = 1_000

const notesBit = () => sql.lit(bitOf('notes'))

/** Tells whether a session has notes on: its own setting, else its project's, else the option of the memory. */
function isWanted(layers: number) {
  return sql<boolean>`(((((${layers} & ~project.layers_set) | project.layers_on) & ~session.layers_set) | session.layers_on) &
      ${notesBit()}) <> 0`
}

interface Grown extends GrownAt {
  readonly layers: number
  readonly before: number
  readonly at: number
  readonly limit: number
}

// The index of recording times starts at the column that it names first: recently used sessions are few among all.
const grown = statement<Grown>()((db, p, d) => grownIn(db, p, d))

const grownOf = statement<Grown & { partition: number }>()((db, p, d) =>
  grownIn(db, p, d).where('session.partition_id', '=', p('partition')),
)

function grownIn(db: Kysely<Schema>, p: <Name extends keyof Grown>(name: Name) => Grown[Name], d: Dialect) {
  return (
    db
      .selectFrom('session')
      .innerJoin('partition', 'partition.id', 'session.partition_id')
      .innerJoin('project', 'project.id', 'partition.project_id')
      .leftJoin('page', (join) =>
        join
          .onRef('page.session_id', '=', 'session.id')
          .on('page.session_id', '>', sql<number>`0`)
          .$call(d.beside('page', 'session')),
      )
      .select([
        'session.id as session',
        'session.partition_id as partition',
        'session.last_recorded_at as recordedAt',
        'session.main_tokens as mainTokens',
        'session.main_calls as mainCalls',
        'session.main_pause as mainPause',
        'page.noted_tokens as notedTokens',
        'page.noted_calls as notedCalls',
        'project.settings',
      ])
      .where('session.last_recorded_at', '>=', p('since'))
      .where(sql<boolean>`(session.last_recorded_at, session.id) < (${p('at')}, ${p('before')})`)
      .where('partition.owner_kind', '<', sql<number>`${sql.lit(derivedKind)}`)
      .where(isWanted(p('layers')))
      .where(sql<boolean>`session.main_tokens > coalesce(page.noted_tokens, 0)`)
      // The new messages may have been forgotten since.
      .where(
        sql<boolean>`exists (select 1 from message where message.session_id = session.id and message.seq > coalesce(page.noted_seq, 0)
      and message.thread is null${d.also(sql` and message.partition_id = session.partition_id`)})`,
      )
      .where(
        sql<boolean>`not exists (select 1 from work where work.kind = ${sql.lit(workKinds.notes)} and work.ref = session.id and
      (work.lease_until > ${p('now')} or work.due_at > ${p('now')}))`,
      )
      .orderBy('session.last_recorded_at', 'desc')
      .orderBy('session.id', 'desc')
      .limit(p('limit'))
  )
}

const wanted = statement<{ partition: number; session: number; layers: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .innerJoin('partition', 'partition.id', 'session.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select([
      d.flag(isWanted(p('layers'))).as('on'),
      'project.id as project',
      'project.name',
      'project.settings',
      'partition.owner',
      'partition.owner_kind as ownerKind',
    ])
    .where('session.id', '=', p('session'))
    .$call(d.within(p('partition'), 'session')),
)

const said = statement<{ partition: number; session: number; from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(sql<number | null>`${d.sum(sql.ref('tokens'))}`.as('tokens'))
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '>=', p('from'))
    .where('seq', '<=', p('to'))
    .where('thread', 'is', null),
)

/**
 * Has notes take a session in again from a message on. Its tokens are counted anew; its tool calls only when that is
 * the first message.
 */
export function* rereadFrom(page: PageTable, from: number): Program<void> {
  if (from > page.noted_seq) return
  const { tokens } = (yield* first(said, { partition: page.partition_id, session: page.session_id, from, to: page.noted_seq })) ?? {
    tokens: 0,
  }
  const isAll = from <= 1
  yield* moveNoted({
    id: page.id,
    partition_id: page.partition_id,
    noted_seq: from - 1,
    noted_tokens: isAll ? 0 : Math.max(0, page.noted_tokens - (tokens ?? 0)),
    noted_calls: isAll ? 0 : page.noted_calls,
  })
}

/**
 * Returns the sessions that have grown since their last notes, of a partition (0: of all), with a message recorded
 * since a time. The newest talk comes first, in lists, until there are no more.
 */
export function* grownSessions(
  layers: number,
  { now, since }: GrownAt,
  partition: number,
  isEnough: (some: readonly CountedSession[]) => boolean,
): Program<void> {
  let [at, before] = [Number.MAX_SAFE_INTEGER, 0]
  for (;;) {
    const asked = { now, since, layers, at, before, limit: perList }
    const some = partition === 0 ? yield* all(grown, asked) : yield* all(grownOf, { ...asked, partition })
    const last = some.at(-1)
    if (isEnough(some) || last === undefined || some.length < perList) return
    ;[at, before] = [last.recordedAt, last.session]
  }
}

/** Tells whether a session has notes on, and returns its owner. */
export function* notesOf(
  partition: number,
  session: number,
  layers: number,
): Program<
  { on: boolean; project: number; name: string; settings: Readonly<Record<string, unknown>>; user: string | undefined } | undefined
> {
  const row = yield* first(wanted, { partition, session, layers })
  if (row === undefined) return undefined
  const settings: Readonly<Record<string, unknown>> = JSON.parse(row.settings)
  return { on: Boolean(row.on), project: row.project, name: row.name, settings, user: row.ownerKind === 0 ? row.owner : undefined }
}
