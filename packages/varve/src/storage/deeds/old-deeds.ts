import type { Erasure } from '../erase/erasure.ts'
import { newReceipt } from '../erase/erases.ts'
import { saveReceipt } from '../erase/receipts.ts'
import { Needles } from '../needles.ts'
import { all, change, first, type Program, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'
import { eraseKept } from './deed-erasure.ts'
import { deedsKept, deedsKeptMs } from './deeds.ts'

/** The most deeds that one transaction erases. */
const deedsAtOnce = 50

const dropDeed = statement<{ id: number }>()((db, p) => db.deleteFrom('deed').where('id', '=', p('id')))

const olderThan = statement<{ before: number; limit: number }>()((db, p) =>
  db.selectFrom('deed').select('id').where('done_at', '<', p('before')).orderBy('done_at').limit(p('limit')),
)

const uuidsOf = statement<{ ids: string }>()((db, p, d) =>
  db
    .selectFrom('deed')
    .select('uuid')
    .where('id', 'in', d.numbers(p('ids'))),
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
    .select('id')
    .where('partition_id', '=', p('partition'))
    .where(
      'id',
      '<=',
      db.selectFrom('deed').select('id').where('partition_id', '=', p('partition')).orderBy('id', 'desc').limit(1).offset(p('most')),
    )
    .limit(p('limit')),
)

const textsOf = statement<{ ids: string }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .select(['deed_id', 'place', 'hand', 'content'])
    .where('deed_id', 'in', d.numbers(p('ids'))),
)

/** Returns the numbers of some deeds that are older than deeds are kept, or more than are kept. */
export function* oldDeeds(now: number): Program<readonly number[]> {
  const old = yield* all(olderThan, { before: now - deedsKeptMs, limit: deedsAtOnce })
  if (old.length > 0) return old.map(({ id }) => id)
  const partition = (yield* first(crowded, { most: deedsKept }))?.partition
  return partition === undefined ? [] : (yield* all(beyond, { partition, most: deedsKept, limit: deedsAtOnce })).map(({ id }) => id)
}

/** Erases some of those deeds with the texts kept for them. The files are then searched for the texts. */
export function* eraseOldDeeds(now: number): Program<Erasure> {
  const [ids, needles] = [yield* oldDeeds(now), new Needles()]
  const uuids = (yield* all(uuidsOf, { ids: JSON.stringify(ids) })).map(({ uuid }) => uuidText(uuid))
  const texts = yield* all(textsOf, { ids: JSON.stringify(ids) })
  yield* eraseKept(texts, needles)
  yield* runList(ids.map((id) => change(dropDeed, { id })))
  const begun = newReceipt(now, { what: 'kept', ids: uuids })
  const receipt = yield* saveReceipt(begun, { kept: texts.length }, texts.length > 0 ? 'pending' : 'done', now)
  return { receipt, needles: needles.all }
}
