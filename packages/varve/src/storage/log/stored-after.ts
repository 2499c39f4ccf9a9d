import { sql } from 'kysely'
import type { Sized } from '../listed.ts'
import { all, type Program } from '../program.ts'
import { statement } from '../statement.ts'

const after = statement<{ partition: number; ord: number; limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select([
      'ord as key',
      sql<number>`octet_length(content) + coalesce(octet_length(parts), 0) + coalesce(octet_length(metadata), 0)`.as('bytes'),
    ])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('ord'))
    .orderBy('ord')
    .limit(p('limit')),
)

/** Returns the ordinals and sizes of the messages after an ordinal, in the order of storing. */
export function storedAfter(partition: number, ord: number, limit: number): Program<readonly Sized[]> {
  return all(after, { partition, ord, limit })
}
