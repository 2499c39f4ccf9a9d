import { sql } from 'kysely'
import type { BlockTable } from '../known-tables.ts'
import { derivedKind } from '../partitions.ts'
import { first, type Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { statement } from '../statement.ts'

const ofBlock = statement<{ near: string; partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('uuid', '=', p('uuid'))
    .$call(d.among(p('near')))
    .where(
      'item.partition_id',
      '=',
      db
        .selectFrom('partition as own')
        .innerJoin('partition as derived', (join) =>
          join.onRef('derived.project_id', '=', 'own.project_id').onRef('derived.owner', '=', 'own.owner'),
        )
        .select('derived.id')
        .where('own.id', '=', p('partition'))
        .where('derived.owner_kind', '=', sql<number>`own.owner_kind + ${sql.lit(derivedKind)}`),
    ),
)

/** Returns the item by which a block is found. An import may have given its id to another owner nearby. */
export function itemOfBlock(
  near: string,
  { partition_id: partition, uuid }: Pick<BlockTable, 'partition_id' | 'uuid'>,
): Program<ItemTable | undefined> {
  return first(ofBlock, { near, partition, uuid })
}
