import type { Erasure } from '../erase/erasure.ts'
import { newReceipt } from '../erase/erases.ts'
import { saveReceipt } from '../erase/receipts.ts'
import { Needles } from '../needles.ts'
import type { DeedTable } from '../deed-tables.ts'
import { partitionList } from '../partition-list.ts'
import { all, change, first, type Program, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'
import { eraseKept } from './deed-erasure.ts'
import { deedsKept, deedsKeptMs } from './deeds.ts'

/** The most deeds that one transaction erases. */
const deedsAtOnce = 50

const dropDeed = statement<{ near: string; id: number }>()((db, p, d) =>
  db
    .deleteFrom('deed')
    .where('id', '=', p('id'))
    .$call(d.among(p('near'))),
)

const olderThan = statement<{ before: number; limit: number }>()((db, p) =>
  db.selectFrom('deed').select(['id', 'partition_id']).where('done_at', '<', p('before')).orderBy('done_at').limit(p('limit')),
)

const uuidsOf = statement<{ near: string; ids: string }>()((db, p, d) =>
  db
    .selectFrom('deed')
    .select('uuid')
    .where('id', 'in', d.numbers(p('ids')))
    .$call(d.among(p('near'))),
)

/** Finds a partition with more deeds than are kept. */
const crowded = statement<{ most: number }>()((db, p) =>
  db
    .selectFrom('deed')
    .select('partition_id as partition')
    .groupBy('partition_id')
    .having((e) => e(e.fn.countAll<number>(), '>', p('most')))
    .limit(1),
)

const beyond = statement<{ partition: number; most: number; limit: number }>()((db, p) =>
  db
    .selectFrom('deed')
    .select(['id', 'partition_id'])
    .where('partition_id', '=', p('partition'))
    .where(
      'id',
      '<=',
      db.selectFrom('deed').select('id').where('partition_id', '=', p('partition')).orderBy('id', 'desc').limit(1).offset(p('most')),
    )
    .limit(p('limit')),
)

const textsOf = statement<{ near: string; ids: string }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .select(['deed_id', 'place', 'hand', 'content'])
    .where('deed_id', 'in', d.numbers(p('ids')))
    .$call(d.amongApart(p('near'))),
)

/** Returns the numbers of some deeds that are older than deeds are kept, or more than are kept. */
export function* oldDeeds(now: number): Program<readonly Pick<DeedTable, 'id' | 'partition_id'>[]> {
  const old = yield* all(olderThan, { before: now - deedsKeptMs, limit: deedsAtOnce })
  if (old.length > 0) return old
  const partition = (yield* first(crowded, { most: deedsKept }))?.partition
  return partition === undefined ? [] : yield* all(beyond, { partition, most: deedsKept, limit: deedsAtOnce })
}

/** Erases some of those deeds with the texts kept for them. The files are then searched for the texts. */
export function* eraseOldDeeds(now: number): Program<Erasure> {
  const [deeds, needles] = [yield* oldDeeds(now), new Needles()]
  const [ids, near] = [JSON.stringify(deeds.map(({ id }) => id)), partitionList(deeds.map((deed) => deed.partition_id))]
  const uuids = (yield* all(uuidsOf, { near, ids })).map(({ uuid }) => uuidText(uuid))
  const texts = yield* all(textsOf, { near, ids })
  yield* eraseKept(near, texts, needles)
  yield* runList(deeds.map(({ id }) => change(dropDeed, { near, id })))
  const begun = newReceipt(now, { what: 'kept', ids: uuids })
  const receipt = yield* saveReceipt(begun, { kept: texts.length }, texts.length > 0 ? 'pending' : 'done', now)
  return { receipt, needles: needles.all }
}
