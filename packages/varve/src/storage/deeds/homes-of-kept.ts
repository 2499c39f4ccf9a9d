import { all, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import type { KeptItem, PartState } from './kept-items.ts'

const inProject = statement<{ project: number; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('session')
    .select(['id', 'partition_id'])
    .where('id', 'in', d.numbers(p('sessions')))
    .where('partition_id', 'in', db.selectFrom('partition').select('id').where('project_id', '=', p('project'))),
)

/**
 * Returns the partitions of the sessions on which kept texts rest. A text tells its own, but for those that were kept
 * before texts did. Sessions that are gone are left out.
 */
export function* homesOfKept(
  { project, source }: { readonly project: number; readonly source: number | undefined },
  kept: readonly KeptItem[],
  parts: readonly PartState[],
): Program<ReadonlyMap<number, number>> {
  const told = [
    ...kept.map(({ item }) => [item.session, item.home ?? source] as const),
    ...parts.map((part) => [part.session_id, part.partition_id ?? source] as const),
  ]
  const homes = new Map(told.flatMap(([session, home]) => (home === undefined ? [] : [[session, home] as const])))
  const sessions = JSON.stringify(told.flatMap(([session]) => (homes.has(session) ? [] : [session])))
  const found = sessions === '[]' ? [] : yield* all(inProject, { project, sessions })
  return new Map([...homes, ...found.map(({ id, partition_id: home }) => [id, home] as const)])
}
