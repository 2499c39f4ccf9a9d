import { sql } from 'kysely'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { journalPruning } from '../journal/prune.ts'
import { abreast, all, change, type Program, run, runLast, type SingleStep } from '../program.ts'
import type { UpkeepRunTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'
import { addedWork, type RunKind, type RunWork } from './run-work.ts'

/** The bounds of the log: the newest rows, for as long as this. */
export const mostRunRows = 10_000
const runsKeptMs = 90 * 86_400_000

/** Work of one kind for one partition; without a partition, it is of no project. */
export interface PartitionWork extends RunWork {
  readonly partition: number | undefined
}

/** A run of upkeep before it is stored. */
export interface NewRun {
  /** The run's id, a uuid. A run that goes on is stored again under its id. */
  readonly run: string
  readonly isAsked: boolean
  readonly beganAt: number
  readonly endedAt: number
  /** The time that it worked: milliseconds. */
  readonly ms: number
  readonly work: readonly PartitionWork[]
}

/** What a run of upkeep did for one project. */
export interface UpkeepRun {
  /** The run's id. A run that worked for several projects is listed once for each. */
  readonly id: string
  /** Absent for work of no project: erasures, and a model that fails before it gets a text. */
  readonly project?: string
  /** `asked` for `upkeep.run()`; `background` for the background's work of at most a minute. */
  readonly by: 'asked' | 'background'
  /** UTC milliseconds. */
  readonly at: number
  readonly endedAt: number
  /** The time that the whole run worked: milliseconds. */
  readonly ms: number
  readonly work: readonly RunWork[]
  /** Its requests to language models for this project, with their tokens. */
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const insert = statement<Omit<UpkeepRunTable, 'id'>>()((db, p) =>
  db
    .insertInto('upkeep_run')
    .values({
      run: p('run'),
      project_id: p('project_id'),
      began_at: p('began_at'),
      ended_at: p('ended_at'),
      ms: p('ms'),
      asked: p('asked'),
      calls: p('calls'),
      input_tokens: p('input_tokens'),
      output_tokens: p('output_tokens'),
      work: p('work'),
    }),
)

const dropRun = statement<{ run: Uint8Array }>()((db, p) => db.deleteFrom('upkeep_run').where('run', '=', p('run')))

const prune = statement<{ before: number; most: number }>()((db, p) =>
  db
    .deleteFrom('upkeep_run')
    .where((e) =>
      e.or([
        e('ended_at', '<', p('before')),
        e('id', '<=', e.selectFrom('upkeep_run').select(sql<number>`max(id) - ${p('most')}`.as('last'))),
      ]),
    ),
)

const projectsOf = statement<{ partitions: string }>()((db, p, d) =>
  db
    .selectFrom('partition')
    .select(['id', 'project_id'])
    .where('id', 'in', d.numbers(p('partitions'))),
)

const spentOf = statement<{ run: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('ledger')
    .select((e) => [
      'project_id',
      e.fn.countAll<number>().as('calls'),
      d.sum(sql.ref('input_tokens')).as('input'),
      d.sum(sql.ref('output_tokens')).as('output'),
    ])
    .where('run', '=', p('run'))
    .groupBy('project_id'),
)

interface Range {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly limit: number
}

/** Gives the size of a row's text. A function, because the published package has no query builder. */
const bytes = () => sql<number>`octet_length(work)`

const sizesOfAll = statement<Range>()((db, p) =>
  db
    .selectFrom('upkeep_run')
    .select(['id as key', bytes().as('bytes')])
    .where('began_at', '>=', p('from'))
    .where('began_at', '<=', p('to'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const sizesOfProject = statement<Range & { project: string }>()((db, p) =>
  db
    .selectFrom('upkeep_run')
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
    .selectFrom('upkeep_run')
    .leftJoin('project', 'project.id', 'upkeep_run.project_id')
    .selectAll('upkeep_run')
    .select('project.name')
    .where('upkeep_run.id', 'in', d.numbers(p('ids'))),
)

const dropOfProject = statement<{ project: number }>()((db, p) => db.deleteFrom('upkeep_run').where('project_id', '=', p('project')))

/** Stores a run that ended, or its later state in place of the earlier one: a row a project. Work of a project that is gone is left out. */
export function* noteRun({ run: id, isAsked, beganAt, endedAt, ms, work }: NewRun, now: number): Program<void> {
  const uuid = uuidBytes(id)
  if (uuid === undefined) return
  const partitions = [...new Set(work.flatMap(({ partition }) => partition ?? []))]
  const [owners, costs, pruned] = yield* abreast([
    all(projectsOf, { partitions: JSON.stringify(partitions) }),
    all(spentOf, { run: uuid }),
    journalPruning(now),
  ])
  const projects = new Map(owners.map((row) => [row.id, row.project_id]))
  const spent = new Map(costs.map((row) => [row.project_id, row]))
  const byProject = new Map<number, Map<RunKind, RunWork>>([...spent.keys()].map((project) => [project, new Map()]))
  for (const { partition, ...one } of work) {
    const project = partition === undefined ? 0 : projects.get(partition)
    if (project === undefined) continue
    const kinds = byProject.get(project) ?? new Map<RunKind, RunWork>()
    byProject.set(project, kinds.set(one.kind, addedWork(kinds.get(one.kind), one)))
  }
  const shared = { run: uuid, began_at: beganAt, ended_at: endedAt, ms: Math.round(ms), asked: Number(isAsked) }
  const rows = [...byProject].map(([project, kinds]) => {
    const { calls = 0, input = 0, output = 0 } = spent.get(project) ?? {}
    const cost = { calls, input_tokens: input, output_tokens: output }
    return change(insert, { ...shared, ...cost, project_id: project, work: JSON.stringify([...kinds.values()]) })
  })
  yield* runLast([change(dropRun, { run: uuid }), ...rows, runsPruning(now, mostRunRows), ...pruned])
}

/** Drops rows that are too old, and those before the newest `most`. */
export function* pruneRuns(now: number, most: number): Program<void> {
  yield runsPruning(now, most)
}

function runsPruning(now: number, most: number): SingleStep {
  return change(prune, { before: now - runsKeptMs, most })
}

/** Returns the runs that began within [from, to], the last that ended first; of one project, or of all. */
export function* upkeepRuns(project: string | undefined, from: number, to: number, request: ListRequest): Program<Listed<UpkeepRun>> {
  const [before] = placeOf('run', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const { limit } = request
  const range = { from, to, before: Number(before), limit: limit + 1 }
  const places = project === undefined ? yield* all(sizesOfAll, range) : yield* all(sizesOfProject, { project, ...range })
  return yield* pageOf(
    { places, limit, cursorOf: ({ key }) => cursorTo('run', key) },
    (ids) => all(byIds, { ids: JSON.stringify(ids) }),
    (row) => row.id,
    runOf,
  )
}

function runOf(row: UpkeepRunTable & { readonly name: string | null }): UpkeepRun {
  const work: readonly RunWork[] = JSON.parse(row.work)
  return {
    id: uuidText(row.run),
    ...(row.name === null ? {} : { project: row.name }),
    by: row.asked === 1 ? 'asked' : 'background',
    at: row.began_at,
    endedAt: row.ended_at,
    ms: row.ms,
    work,
    calls: row.calls,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
  }
}

export function dropRuns(project: number): Program<void> {
  return run(dropOfProject, { project })
}
