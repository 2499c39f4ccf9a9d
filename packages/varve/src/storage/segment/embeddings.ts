import { sql } from 'kysely'
import { lost } from '../lost.ts'
import { type Program, all, first, run } from '../program.ts'
import type { EmbeddingTable, MessageTable } from '../schema.ts'
import { statement } from '../statement.ts'

/** The maker of a vector: vectors of different makers are never compared. */
export interface VectorMaker {
  readonly name: string
  readonly dimension: number
  readonly quantisation: string
}

/** The number of an embedding, and its partition. */
export type EmbeddingKey = Pick<EmbeddingTable, 'id' | 'partition_id'>

/** The columns of a message that embedding reads. */
export type EmbeddableRow = Pick<MessageTable, 'ord' | 'origin' | 'content' | 'recalled'>

interface MakerParams {
  name: string
  dimension: number
  quantisation: string
}

const insertModel = statement<MakerParams & { now: number }>()((db, p) =>
  db
    .insertInto('embedding_model')
    .values({ name: p('name'), dimension: p('dimension'), quantisation: p('quantisation'), created_at: p('now') })
    .onConflict((c) => c.doNothing()),
)

const selectModel = statement<MakerParams>()((db, p) =>
  db
    .selectFrom('embedding_model')
    .select('id')
    .where('name', '=', p('name'))
    .where('dimension', '=', p('dimension'))
    .where('quantisation', '=', p('quantisation')),
)

// The partition that waited longest has its turn first, so that one with a hundred thousand messages delays no other.
// Partitions without a turn need a rule of their own: engines place nulls differently.
const dueFirst = statement<{ model: number; now: number; holder: string; limit: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .leftJoin('embedding', (join) => join.onRef('embedding.partition_id', '=', 'partition.id').on('embedding.model_id', '=', p('model')))
    .select(['partition.id as partition_id', 'partition.seq'])
    .where('partition.messages', '>', 0)
    .where((e) =>
      e.or([
        e('embedding.id', 'is', null),
        e.and([
          e('embedding.seen_seq', '<', e.ref('partition.seq')),
          e('embedding.due_at', '<=', p('now')),
          e.or([e('embedding.lease_until', '<=', p('now')), e('embedding.lease_holder', '=', p('holder'))]),
        ]),
      ]),
    )
    .orderBy(sql`coalesce(embedding.claimed_at, -1)`)
    .orderBy('partition.id', 'desc')
    .limit(p('limit')),
)

const unfinished = statement<{ model: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .leftJoin('embedding', (join) => join.onRef('embedding.partition_id', '=', 'partition.id').on('embedding.model_id', '=', p('model')))
    .select([
      'partition.id as partition_id',
      'partition.seq',
      'embedding.done',
      'embedding.attempts',
      'embedding.due_at',
      'embedding.reason',
    ])
    .where('partition.messages', '>', 0)
    .where((e) => e.or([e('embedding.id', 'is', null), e('embedding.seen_seq', '<', e.ref('partition.seq'))])),
)

const insertEmbedding = statement<{ partition: number; model: number }>()((db, p) =>
  db
    .insertInto('embedding')
    .values({
      partition_id: p('partition'),
      model_id: p('model'),
      vector_seq: 0,
      seen_seq: 0,
      done: '[]',
      claimed_at: 0,
      lease_holder: null,
      lease_until: 0,
      attempts: 0,
      due_at: 0,
      reason: null,
    })
    .onConflict((c) => c.doNothing()),
)

const selectEmbedding = statement<{ partition: number; model: number }>()((db, p) =>
  db.selectFrom('embedding').selectAll().where('partition_id', '=', p('partition')).where('model_id', '=', p('model')),
)

const selectHeld = statement<{ partition: number; id: number; holder: string }>()((db, p, d) =>
  db
    .selectFrom('embedding')
    .selectAll()
    .where('id', '=', p('id'))
    .$call(d.within(p('partition')))
    .where('lease_holder', '=', p('holder')),
)

const takeLease = statement<{ partition: number; id: number; holder: string; until: number; now: number }>()((db, p, d) =>
  db
    .updateTable('embedding')
    .set({ lease_holder: p('holder'), lease_until: p('until'), claimed_at: p('now') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const progress = statement<Pick<EmbeddingTable, 'id' | 'vector_seq' | 'seen_seq' | 'done'> & { partition: number }>()((db, p, d) =>
  db
    .updateTable('embedding')
    .set({
      vector_seq: p('vector_seq'),
      seen_seq: p('seen_seq'),
      done: p('done'),
      lease_holder: null,
      lease_until: 0,
      attempts: 0,
      due_at: 0,
      reason: null,
    })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const putOff = statement<{ partition: number; id: number; holder: string; dueAt: number; reason: string }>()((db, p, d) =>
  db
    .updateTable('embedding')
    .set((e) => ({ lease_holder: null, lease_until: 0, attempts: e('attempts', '+', 1), due_at: p('dueAt'), reason: p('reason') }))
    .where('id', '=', p('id'))
    .$call(d.within(p('partition')))
    .where('lease_holder', '=', p('holder')),
)

// A partition has messages, derived items, or assertions, only one of these. So a query over all three has rows of one.
const newestIn = statement<{ partition: number; after: number; upTo: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['ord', 'origin', 'content', 'recalled'])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('after'))
    .where('ord', '<=', p('upTo'))
    .unionAll(
      db
        .selectFrom('item')
        .leftJoin('message', (join) =>
          join
            .onRef('message.session_id', '=', 'item.session_id')
            .onRef('message.seq', '=', 'item.hand_seq')
            .on('item.kind', '=', sql<number>`2`)
            .$call(d.atHome('message')),
        )
        .select([
          'item.ord',
          sql<string>`'assistant'`.as('origin'),
          sql<string>`coalesce(message.content, item.content)`.as('content'),
          'message.recalled',
        ])
        .where('item.partition_id', '=', p('partition'))
        .where('item.ord', '>', p('after'))
        .where('item.ord', '<=', p('upTo')),
    )
    .unionAll(
      db
        .selectFrom('assertion')
        .select([
          'ord',
          sql<string>`'person'`.as('origin'),
          sql<string>`trim(subject || ' ' || predicate || ' ' || object)`.as('content'),
          sql<null>`null`.as('recalled'),
        ])
        .where('partition_id', '=', p('partition'))
        .where('ord', '>', p('after'))
        .where('ord', '<=', p('upTo'))
        .where('says', '=', sql<number>`0`),
    )
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const countIn = statement<{ partition: number; after: number; upTo: number }>()((db, p) =>
  db
    .selectFrom('message_terms')
    .select((e) => e.fn.countAll<number>().as('messages'))
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('after'))
    .where('ord', '<=', p('upTo')),
)

const standing = statement<{ partition: number; ord: number }>()((db, p) =>
  db.selectFrom('message_terms').select('ord').where('partition_id', '=', p('partition')).where('ord', '=', p('ord')),
)

const deleteOfPartition = statement<{ partition: number }>()((db, p) =>
  db.deleteFrom('embedding').where('partition_id', '=', p('partition')),
)

const deleteOne = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('embedding')
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

// A model that had a turn within a day may be another program's. Only vectors that nobody makes any more are outdated.
const outdated = statement<{ model: number; before: number }>()((db, p) =>
  db
    .selectFrom('embedding as old')
    .innerJoin('embedding as now', 'now.partition_id', 'old.partition_id')
    .innerJoin('partition', 'partition.id', 'old.partition_id')
    .select(['old.id', 'old.partition_id'])
    .where('now.model_id', '=', p('model'))
    .where('old.model_id', '!=', p('model'))
    .where('old.claimed_at', '<', p('before'))
    .whereRef('now.seen_seq', '=', 'partition.seq')
    .limit(1),
)

/** Returns the number of a model in this store; makes it when the model is unknown. */
export function* ensureModel({ name, dimension, quantisation }: VectorMaker, now: number): Program<number> {
  yield* run(insertModel, { name, dimension, quantisation, now })
  const row = yield* first(selectModel, { name, dimension, quantisation })
  if (row === undefined) throw lost('embedding model')
  return row.id
}

/** Returns the number of a model; undefined when it never embedded anything here. */
export function* findModel({ name, dimension, quantisation }: VectorMaker): Program<number | undefined> {
  return (yield* first(selectModel, { name, dimension, quantisation }))?.id
}

/**
 * Returns partitions with messages without a vector of this model, the longest wait first. Leaves out those that
 * another holds and those that are put off.
 */
export function dueEmbeddings(model: number, holder: string, now: number, limit: number) {
  return all(dueFirst, { model, holder, now, limit })
}

/** Returns partitions with messages without a vector of this model, and the progress of each. */
export function unfinishedEmbeddings(model: number) {
  return all(unfinished, { model })
}

/** Returns the progress of a model's embedding of a partition; undefined when it was not begun. */
export function findEmbedding(partition: number, model: number): Program<EmbeddingTable | undefined> {
  return first(selectEmbedding, { partition, model })
}

/** Claims a partition for a while. */
export function* claimEmbedding(partition: number, model: number, holder: string, now: number, until: number): Program<EmbeddingTable> {
  yield* run(insertEmbedding, { partition, model })
  const row = yield* findEmbedding(partition, model)
  if (row === undefined) throw lost('embedding')
  yield* run(takeLease, { partition, id: row.id, holder, now, until })
  return row
}

/** Returns the row if the holder still has it: a lease that ran out may be another's. */
export function heldEmbedding({ id, partition_id: partition }: EmbeddingKey, holder: string): Program<EmbeddingTable | undefined> {
  return first(selectHeld, { partition, id, holder })
}

/** Notes the progress, and gives the partition back. */
export function saveEmbedding({
  id,
  partition_id: partition,
  vector_seq,
  seen_seq,
  done,
}: Pick<EmbeddingTable, keyof EmbeddingKey | 'vector_seq' | 'seen_seq' | 'done'>): Program<void> {
  return run(progress, { partition, id, vector_seq, seen_seq, done })
}

/** Notes a failure, and gives the partition back. */
export function putOffEmbedding(
  { id, partition_id: partition }: EmbeddingKey,
  holder: string,
  dueAt: number,
  reason: string,
): Program<void> {
  return run(putOff, { partition, id, holder, dueAt, reason })
}

/** Returns the messages with ordinals in (after, upTo], newest first. */
export function newestMessages(partition: number, after: number, upTo: number, limit: number): Program<readonly EmbeddableRow[]> {
  return all(newestIn, { partition, after, upTo, limit })
}

export function* countMessages(partition: number, after: number, upTo: number): Program<number> {
  return (yield* first(countIn, { partition, after, upTo }))?.messages ?? 0
}

/** Tells whether a message still stands at an ordinal. The content at an ordinal never changes. */
export function* stands(partition: number, ord: number): Program<boolean> {
  return (yield* first(standing, { partition, ord })) !== undefined
}

export function deleteEmbeddings(partition: number): Program<void> {
  return run(deleteOfPartition, { partition })
}

export function deleteEmbedding({ id, partition_id: partition }: EmbeddingKey): Program<void> {
  return run(deleteOne, { partition, id })
}

/** Returns an embedding of a model that had no turn since a time, in a partition that the present model has embedded completely. */
export function outdatedEmbedding(model: number, before: number): Program<EmbeddingKey | undefined> {
  return first(outdated, { model, before })
}
