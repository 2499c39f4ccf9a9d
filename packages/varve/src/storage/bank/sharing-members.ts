import { sql, type SqlBool } from 'kysely'
import { bitOf } from '../layers.ts'
import { ownerKinds, type PartitionRow } from '../partitions.ts'
import { type Program, all } from '../program.ts'
import { sharing } from '../log/sessions.ts'
import { statement } from '../statement.ts'

/** What one member shares of their conversations. Times are UTC milliseconds. */
export interface SharingMemberRow {
  /** The user; '' for the anonymous user. */
  readonly name: string
  /** 1 when sessions without a setting of their own are shared. */
  readonly share: number
  /** Sessions that the member keeps out one by one. */
  readonly keptOut: number
  /** Sessions whose entries somebody took out. */
  readonly withdrawn: number
  /** The begin of the earliest session that feeds the bank; null when none does. */
  readonly since: number | null
  readonly sessions: number
  readonly entries: number
}

const members = statement<{ project: string; shared: number; only: number; user: string; limit: number }>()((db, p, d) =>
  db
    .selectFrom('partition')
    .leftJoin(
      db
        .selectFrom('item')
        .innerJoin('session', 'session.id', 'item.session_id')
        .select((e) => [
          'session.partition_id as member',
          sql<number>`min(case when session.shared_from > 1 then item.first_at else session.created_at end)`.as('since'),
          sql<number>`count(distinct session.id)`.as('sessions'),
          e.fn.countAll<number>().as('entries'),
        ])
        .where('item.partition_id', '=', p('shared'))
        .where('item.kind', '=', sql<number>`1`)
        .groupBy('session.partition_id')
        .as('fed'),
      'fed.member',
      'partition.id',
    )
    .select((e) => [
      'partition.owner as name',
      'partition.share',
      e
        .selectFrom('session')
        .select((s) => s.fn.countAll<number>().as('kept'))
        .whereRef('session.partition_id', '=', 'partition.id')
        .where('session.share', '=', sharing.private)
        .as('keptOut'),
      e
        .selectFrom('part')
        .select(sql<number>`count(distinct part.session_id)`.as('gone'))
        .whereRef('part.partition_id', '=', 'partition.id')
        .where('part.layer', '=', bitOf('shared'))
        .where('part.content', 'is', null)
        .where('part.provisional', '=', 0)
        .as('withdrawn'),
      'fed.since',
      sql<number>`coalesce(fed.sessions, 0)`.as('sessions'),
      sql<number>`coalesce(fed.entries, 0)`.as('entries'),
    ])
    .where('partition.project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
    .where('partition.owner_kind', '<', ownerKinds.shared)
    .where(sql<SqlBool>`(${d.number(p('only'))} = 0 or partition.owner = ${p('user')})`)
    .orderBy(d.bytewise(sql.ref('partition.owner')))
    .limit(p('limit')),
)

/** Returns what each member of a project shares, or one of them, in the order of their names; the anonymous user first. */
export function* sharingMembers(
  { project, shared, user }: { readonly project: string; readonly shared: PartitionRow | undefined; readonly user: string | undefined },
  limit: number,
): Program<readonly SharingMemberRow[]> {
  const rows = yield* all(members, { project, shared: shared?.id ?? 0, only: Number(user !== undefined), user: user ?? '', limit })
  return rows.map((row) => ({ ...row, keptOut: row.keptOut ?? 0, withdrawn: row.withdrawn ?? 0 }))
}
