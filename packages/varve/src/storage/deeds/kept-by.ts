import type { Erasure } from '../erase/erasure.ts'
import type { NewReceipt } from '../erase/erases.ts'
import { noteTurn, saveReceipt } from '../erase/receipts.ts'
import type { Needles } from '../needles.ts'
import { partitionList } from '../partition-list.ts'
import { all, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'
import { eraseKept } from './deed-erasure.ts'
import type { Act } from './deeds.ts'

// What a replay of receipts finds and erases among the texts that are kept so that a change can be taken back.

const ofPartitions = statement<{ near: string; partitions: string; at: number }>()((db, p, d) =>
  db
    .selectFrom('deed')
    .select(['id', 'uuid', 'act'])
    .where('partition_id', 'in', d.numbers(p('partitions')))
    .$call(d.among(p('near')))
    .where('done_at', '<=', p('at'))
    .where((e) =>
      e.exists(
        e
          .selectFrom('deed_text')
          .select('place')
          .whereRef('deed_text.deed_id', '=', 'deed.id')
          .$call(d.amongApart(p('near'), 'deed_text')),
      ),
    )
    .orderBy('id'),
)

const ofMember = statement<{ near: string; member: number }>()((db, p, d) =>
  db
    .selectFrom('deed_source')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'deed_source.session_id').$call(d.joined('session', p('member'))))
    .select('deed_source.deed_id')
    .distinct()
    .where('session.partition_id', '=', p('member'))
    .$call(d.amongApart(p('near'), 'deed_source')),
)

const textsOf = statement<{ ids: string }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_text.deed_id').$call(d.beside('deed', 'deed_text')))
    .select(['deed_text.deed_id', 'deed_text.place', 'deed_text.hand', 'deed_text.content', 'deed.uuid', 'deed.partition_id'])
    .where('deed.uuid', 'in', d.ids(p('ids'))),
)

interface Asked {
  readonly at: number
  /** Only these changes. */
  readonly acts?: readonly Act[]
  /** Only those whose texts rest on words of this member. */
  readonly member?: number | undefined
}

/** Returns the ids of changes made by a time whose texts are still kept. */
export function* deedsKeeping(partitions: readonly number[], { at, acts, member }: Asked): Program<readonly string[]> {
  const near = partitionList(partitions)
  const rows = yield* all(ofPartitions, { near, partitions: JSON.stringify(partitions), at })
  const resting = member === undefined ? undefined : new Set((yield* all(ofMember, { near, member })).map((row) => row.deed_id))
  const wanted: ReadonlySet<string> | undefined = acts === undefined ? undefined : new Set(acts)
  return rows.filter(({ id, act }) => (resting?.has(id) ?? true) && (wanted?.has(act) ?? true)).map(({ uuid }) => uuidText(uuid))
}

/** Returns those of some changes whose texts are still kept. */
export function* stillKeeping(ids: readonly string[]): Program<readonly string[]> {
  const texts = yield* all(textsOf, { ids: JSON.stringify(ids) })
  return [...new Set(texts.map(({ uuid }) => uuidText(uuid)))]
}

/** Erases the texts of some changes, in one of several transactions. */
export function* eraseSomeTexts(ids: readonly string[], receipt: NewReceipt, now: number, needles: Needles): Program<void> {
  const texts = yield* all(textsOf, { ids: JSON.stringify(ids) })
  yield* eraseKept(partitionList(texts.map((text) => text.partition_id)), texts, needles)
  yield* noteTurn(receipt, { kept: texts.length }, now)
}

/** Ends an erasure of kept texts. */
export function* endOfTexts(receipt: NewReceipt, now: number, needles: Needles): Program<Erasure> {
  return { receipt: yield* saveReceipt(receipt, { kept: 0 }, 'pending', now), needles: needles.all }
}
