import { sql } from 'kysely'
import { type Program, all, change, first, runList, type SingleStep } from '../program.ts'
import { statement } from '../statement.ts'
import type { Ordinals } from './terms.ts'

// Readers keep rows of a partition in memory. An erasure leaves tombstones, which tell readers to drop erased rows.

/** Stands for tombstones that are no longer kept: a reader from before them begins anew. No message has this ordinal. */
const forgotten = 0

interface Place {
  readonly partition: number
  readonly epoch: number
  readonly ord: number
}

const since = statement<{ partition: number; epoch: number }>()((db, p) =>
  db.selectFrom('tombstone').select(['ord']).where('partition_id', '=', p('partition')).where('epoch', '>', p('epoch')),
)

const insert = statement<Ordinals & { epoch: number }>()((db, p, d) =>
  db
    .insertInto('tombstone')
    .columns(['partition_id', 'epoch', 'ord'])
    .expression(
      db
        .selectFrom(d.numbers(p('ords')).as('gone'))
        .select([d.number(p('partition')).as('partition_id'), d.number(p('epoch')).as('epoch'), sql<number>`gone.value`.as('ord')]),
    ),
)

const oldest = statement<{ partition: number; place: number }>()((db, p) =>
  db
    .selectFrom('tombstone')
    .select(['epoch', 'ord'])
    .where('partition_id', '=', p('partition'))
    .orderBy('epoch')
    .orderBy('ord')
    .limit(sql<number>`1`)
    .offset(p('place')),
)

const dropUpTo = statement<Place>()((db, p) =>
  db
    .deleteFrom('tombstone')
    .where('partition_id', '=', p('partition'))
    .where(sql<boolean>`(epoch, ord) <= (${p('epoch')}, ${p('ord')})`),
)

const mark = statement<Place>()((db, p) =>
  db
    .insertInto('tombstone')
    .values({ partition_id: p('partition'), epoch: p('epoch'), ord: p('ord') })
    .onConflict((c) => c.doNothing()),
)

/** Returns the step that tells readers that some ordinals are gone. */
export function tombstones(ordinals: Ordinals, epoch: number): SingleStep {
  return change(insert, { ...ordinals, epoch })
}

/** Returns the ordinals that were erased or replaced since an epoch; undefined when they are no longer known. */
export function* erasedAfter(partition: number, epoch: number): Program<readonly number[] | undefined> {
  const ords = (yield* all(since, { partition, epoch })).map(({ ord }) => ord)
  return ords.includes(forgotten) ? undefined : ords
}

/** The bounds of tombstones: the least that a partition keeps after an erasure in many transactions, and the number dropped at once. */
export const tombstoneBounds = { kept: 10_000, dropped: 5_000 }

/** Tells whether a partition has more tombstones than it keeps. */
export function* hasManyTombstones(partition: number, { kept, dropped } = tombstoneBounds): Program<boolean> {
  return (yield* first(oldest, { partition, place: kept + dropped })) !== undefined
}

/** Drops the oldest tombstones. */
export function* dropTombstones(partition: number, { dropped } = tombstoneBounds): Program<void> {
  const last = yield* first(oldest, { partition, place: dropped - 1 })
  if (last !== undefined)
    yield* runList([change(dropUpTo, { partition, ...last }), change(mark, { partition, epoch: last.epoch, ord: forgotten })])
}
