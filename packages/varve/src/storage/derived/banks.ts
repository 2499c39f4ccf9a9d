import { type SqlBool, sql } from 'kysely'
import { bitOf } from '../layers.ts'
import { derivedKind, knownKind, ownerKinds, type PartitionRow } from '../partitions.ts'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'
import type { ItemTable } from '../schema.ts'
import { workKinds } from '../work.ts'

/** A bank that upkeep has to look at. */
export interface DueBank {
  /** The partition of its entries. */
  readonly partition: number
  /** The `seq` and `epoch` of that partition when it was read. */
  readonly seq: number
  readonly epoch: number
  readonly isShared: boolean
  /** The number of failures in a row. */
  readonly attempts: number
  readonly project: number
  readonly projectName: string
  /** The project's settings as they are stored: JSON. */
  readonly settings: string
}

/** The filter for due banks. */
export interface BankLook {
  /** Bits of the layers that are on where a project has no setting. */
  readonly layers: number
  /** True when a model may rewrite provisional digests. */
  readonly canAsk: boolean
  readonly project: string | undefined
}

const due = statement<{ now: number; layers: number; limit: number; canAsk: number; project: string }>()((db, p, d) =>
  db
    .selectFrom('partition')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .leftJoin('work', (join) => join.onRef('work.ref', '=', 'partition.id').on('work.kind', '=', sql<number>`${sql.lit(workKinds.bank)}`))
    .select([
      'partition.id as partition',
      'partition.seq',
      'partition.epoch',
      'partition.owner_kind',
      'project.id as project',
      'project.name',
      'project.settings',
      'work.attempts',
    ])
    .where('partition.owner_kind', '>=', sql<number>`${sql.lit(derivedKind)}`)
    .where('partition.owner_kind', '<', sql<number>`${sql.lit(knownKind)}`)
    .where('partition.messages', '>', 0)
    .where(sql<SqlBool>`(${p('project')} = '' or project.name = ${p('project')})`)
    .where(sql<SqlBool>`(case when partition.owner_kind = ${sql.lit(ownerKinds.shared + derivedKind)} then project.sharing_since is not null
      else (((${p('layers')} & ~project.layers_set) | project.layers_on) & ${sql.lit(bitOf('bank'))}) <> 0 end)`)
    .where(sql<SqlBool>`(work.ref is null or (work.lease_until <= ${p('now')} and (case when work.reason is not null then work.due_at <=
      ${p('now')}
      else work.seen_seq < partition.seq + partition.epoch or work.due_at <= ${p('now')} or (${d.number(p('canAsk'))} = 1 and exists
      (select 1 from item where item.partition_id = partition.id and item.provisional = 1 and item.rung > 0)) end)))`)
    .orderBy('partition.distilled_at')
    .orderBy('partition.id')
    .limit(p('limit')),
)

const provisional = statement<{ partition: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where(
      'ord',
      'in',
      db
        .selectFrom('item')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('provisional', '=', sql<number>`1`)
        .where('rung', '>', sql<number>`0`),
    )
    .orderBy('rung')
    .orderBy(d.bytewise(sql.ref('period')), 'desc')
    .limit(p('limit')),
)

/** Returns banks that changed since they were last looked at, the longest wait first; of one project, or of all. */
export function* dueBanks(now: number, { layers, canAsk, project }: BankLook, limit: number): Program<readonly DueBank[]> {
  const rows = yield* all(due, { now, layers, limit, canAsk: Number(canAsk), project: project ?? '' })
  return rows.map((row) => ({
    partition: row.partition,
    seq: row.seq,
    epoch: row.epoch,
    isShared: row.owner_kind === ownerKinds.shared + derivedKind,
    attempts: row.attempts ?? 0,
    project: row.project,
    projectName: row.name,
    settings: row.settings,
  }))
}

/** Returns the digests that were written without their model, the finest and newest first. */
export function provisionalDigests({ id }: Pick<PartitionRow, 'id'>, limit: number): Program<readonly ItemTable[]> {
  return all(provisional, { partition: id, limit })
}
