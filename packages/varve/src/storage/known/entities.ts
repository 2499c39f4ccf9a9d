import { type Program, all, run } from '../program.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'

/** The key of the partition's own user: nobody says it as a name. */
export const self = '\u0001'

type EntityRow = Schema['entity']

const ofPartition = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('entity').selectAll().where('partition_id', '=', p('partition')),
)

const insert = statement<EntityRow>()((db, p) =>
  db
    .insertInto('entity')
    .values({ partition_id: p('partition_id'), name_key: p('name_key'), entity_key: p('entity_key') })
    .onConflict((c) => c.columns(['partition_id', 'name_key']).doUpdateSet({ entity_key: p('entity_key') })),
)

const redirect = statement<{ partition: number; from: string; to: string }>()((db, p) =>
  db
    .updateTable('entity')
    .set({ entity_key: p('to') })
    .where('partition_id', '=', p('partition'))
    .where('entity_key', '=', p('from')),
)

const drop = statement<{ partition: number; name: string }>()((db, p) =>
  db.deleteFrom('entity').where('partition_id', '=', p('partition')).where('name_key', '=', p('name')),
)

const dropAll = statement<{ partition: number }>()((db, p) => db.deleteFrom('entity').where('partition_id', '=', p('partition')))

/** Returns the names of a partition that were merged by hand. */
export function mergedNames(partition: number): Program<readonly EntityRow[]> {
  return all(ofPartition, { partition })
}

/** Merges a name, and all names merged with it, into another name. */
export function* mergeName(partition: number, name: string, into: string): Program<void> {
  yield* run(redirect, { partition, from: name, to: into })
  yield* run(insert, { partition_id: partition, name_key: name, entity_key: into })
}

/** Has a merged name count as another. */
export function pointName(partition: number, name: string, entity: string): Program<void> {
  return run(insert, { partition_id: partition, name_key: name, entity_key: entity })
}

/** Makes one of an entity's names the leading one. */
export function* passOn(partition: number, entity: string, heir: string): Program<void> {
  yield* run(drop, { partition, name: heir })
  yield* run(redirect, { partition, from: entity, to: heir })
}

export function dropName(partition: number, name: string): Program<void> {
  return run(drop, { partition, name })
}

export function dropNames(partition: number): Program<void> {
  return run(dropAll, { partition })
}
