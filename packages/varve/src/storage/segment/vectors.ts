import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { type Program, type SingleStep, abreast, all, change, first, run, runList } from '../program.ts'
import type { VectorTable } from '../schema.ts'
import { statement } from '../statement.ts'
import type { EmbeddingKey, VectorMaker } from './embeddings.ts'
import type { Ordinals } from './terms.ts'

/** The bits of a vector's id below its embedding's: at most 4,294,967,295 vectors for a partition and a model. */
const seqBits = 32

/** A page of vectors for the index. */
export interface CodesPage {
  /** Codes end to end. A byte is a component's value plus 128, so a body has no zero byte, and SQLite may treat it as text. */
  readonly bodies: Uint8Array
  readonly rows: readonly CodeRow[]
}

export interface CodeRow {
  readonly seq: number
  readonly ord: number
  readonly scale: number
  /** Its code is bodies[from, to). */
  readonly from: number
  readonly to: number
}

/**
 * A vector of more bytes lies partly on pages of its own. There, the vector of a living message with the same words
 * would be taken for it. So only its first bytes, which never lie on such pages, are searched for.
 */
const mostInPlace = 4_000
const alwaysInPlace = 480

const idOf = (d: Dialect, embedding: number, seq: number) => sql<number>`(${d.shifted(embedding, seqBits)} | ${seq})`

/**
 * A scale is the largest component / 127: a 32-bit float from 2^-15 to 2^-6. Times this it is a whole number, which
 * SQLite writes and we read in half the time.
 */
const scaleUnits = 2 ** 40

/** The numbers that are read of each vector beside its code. */
const numbersPerRow = 4

const columns = (d: Dialect): readonly string[] => ['seq', 'ord', d.integer(`scale * ${scaleUnits}`), 'length(body)']

// As for terms (terms.ts), a page in one row is three times as fast.
const after = statement<{ partition: number; embedding: number; seq: number; last: number; limit: number }>()((db, p, d) => {
  const page = db
    .selectFrom('message_code')
    .select([sql<number>`id & ${sql.raw(String(2 ** seqBits - 1))}`.as('seq'), 'ord', 'scale', 'body'])
    .where('id', '>', idOf(d, p('embedding'), p('seq')))
    .where('id', '<=', idOf(d, p('embedding'), p('last')))
    .$call(d.withinApart(p('partition')))
    .orderBy('id')
    .limit(p('limit'))
    .as('page')
  return db.selectFrom(page).select([d.joinedBytes('body', 'seq').as('bodies'), d.joinedNumbers(columns(d), 'seq').as('numbers')])
})

const byIds = statement<{ partition: number; embedding: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message_vector')
    .select([sql<number>`id & ${sql.raw(String(2 ** seqBits - 1))}`.as('seq'), 'begins', 'ends', 'body'])
    .where('id', 'in', d.shiftedEach(p('embedding'), seqBits, p('seqs')))
    .$call(d.within(p('partition'))),
)

const rangesByIds = statement<{ partition: number; embedding: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message_vector')
    .select([sql<number>`id & ${sql.raw(String(2 ** seqBits - 1))}`.as('seq'), 'begins', 'ends'])
    .where('id', 'in', d.shiftedEach(p('embedding'), seqBits, p('seqs')))
    .$call(d.within(p('partition'))),
)

const firstPassage = statement<{ partition: number; ord: number }>()((db, p, d) =>
  db
    .selectFrom('message_vector')
    .innerJoin('embedding', (join) =>
      join
        .on('embedding.id', '=', sql<number>`message_vector.id >> ${sql.raw(String(seqBits))}`)
        .$call(d.joined('embedding', p('partition'))),
    )
    .innerJoin('embedding_model', 'embedding_model.id', 'embedding.model_id')
    .select(['embedding_model.name', 'embedding_model.dimension', 'embedding_model.quantisation', 'message_vector.body'])
    .where('message_vector.partition_id', '=', p('partition'))
    .where('message_vector.ord', '=', p('ord'))
    .where('message_vector.passage', '=', 0)
    .orderBy('message_vector.id', 'desc')
    .limit(1),
)

const ofSession = statement<{ partition: number; session: number; from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .innerJoin('message_vector', (join) =>
      join.onRef('message_vector.partition_id', '=', 'message.partition_id').onRef('message_vector.ord', '=', 'message.ord'),
    )
    .select(['message.seq', 'message_vector.body', sql<number>`message_vector.id >> ${sql.raw(String(seqBits))}`.as('embedding')])
    .where('message.session_id', '=', p('session'))
    .$call(d.within(p('partition'), 'message'))
    .where('message.seq', '>=', p('from'))
    .where('message.seq', '<=', p('to'))
    .where('message_vector.passage', '=', sql<number>`0`)
    .orderBy('embedding')
    .orderBy('message.seq'),
)

const lastOf = statement<{ partition: number; ord: number; embedding: number; last: number }>()((db, p, d) =>
  db
    .selectFrom('message_vector')
    .select(['passage', 'begins', 'ends'])
    .where('partition_id', '=', p('partition'))
    .where('ord', '=', p('ord'))
    .where('id', '>', idOf(d, p('embedding'), 0))
    .where('id', '<=', idOf(d, p('embedding'), p('last')))
    .orderBy('passage', 'desc')
    .limit(1),
)

const insertVector = statement<{ embedding: number; seq: number } & Omit<VectorTable, 'id'>>()((db, p, d) =>
  db
    .insertInto('message_vector')
    .values({
      id: idOf(d, p('embedding'), p('seq')),
      partition_id: p('partition_id'),
      ord: p('ord'),
      passage: p('passage'),
      begins: p('begins'),
      ends: p('ends'),
      body: p('body'),
    }),
)

const insertCode = statement<{ partition: number; embedding: number; seq: number; ord: number; scale: number; body: Uint8Array }>()(
  (db, p, d) =>
    db
      .insertInto('message_code')
      .values(
        d.apart(
          { partition_id: p('partition') },
          { id: idOf(d, p('embedding'), p('seq')), ord: p('ord'), scale: p('scale'), body: p('body') },
        ),
      ),
)

const bodiesAt = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('message_vector')
    .leftJoin('message_code', (join) =>
      join.onRef('message_code.id', '=', 'message_vector.id').$call(d.joinedApart('message_code', p('partition'))),
    )
    .select(['message_vector.ord', 'message_vector.body as vector', 'message_code.body as code'])
    .where('message_vector.partition_id', '=', p('partition'))
    .where('message_vector.ord', 'in', d.numbers(p('ords'))),
)

const deleteCodes = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('message_code')
    .where(
      'id',
      'in',
      db
        .selectFrom('message_vector')
        .select('id')
        .where('partition_id', '=', p('partition'))
        .where('ord', 'in', d.numbers(p('ords'))),
    )
    .$call(d.withinApart(p('partition'))),
)

const deleteVectors = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('message_vector')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const deleteSomeCodes = statement<{ partition: number; embedding: number; last: number; limit: number }>()((db, p, d) =>
  db
    .deleteFrom('message_code')
    .where(
      'id',
      'in',
      db
        .selectFrom('message_code')
        .select('id')
        .where('id', '>', idOf(d, p('embedding'), 0))
        .where('id', '<=', idOf(d, p('embedding'), p('last')))
        .$call(d.withinApart(p('partition')))
        .limit(p('limit')),
    )
    .$call(d.withinApart(p('partition'))),
)

const deleteSomeVectors = statement<{ partition: number; embedding: number; last: number; limit: number }>()((db, p, d) =>
  db
    .deleteFrom('message_vector')
    .where(
      'id',
      'in',
      db
        .selectFrom('message_vector')
        .select('id')
        .where('id', '>', idOf(d, p('embedding'), 0))
        .where('id', '<=', idOf(d, p('embedding'), p('last')))
        .$call(d.within(p('partition')))
        .limit(p('limit')),
    )
    .$call(d.within(p('partition'))),
)

const anyOf = statement<{ partition: number; embedding: number; last: number }>()((db, p, d) =>
  db
    .selectFrom('message_vector')
    .select('id')
    .where('id', '>', idOf(d, p('embedding'), 0))
    .where('id', '<=', idOf(d, p('embedding'), p('last')))
    .$call(d.within(p('partition')))
    .limit(1),
)

const refusedBy = statement<{ model: number }>()((db, p) =>
  db
    .selectFrom('message_vector')
    .innerJoin('embedding', 'embedding.partition_id', 'message_vector.partition_id')
    .select((e) => e.fn.countAll<number>().as('passages'))
    .where(sql<boolean>`length(message_vector.body) = 0`)
    .where('embedding.model_id', '=', p('model'))
    .where(sql<boolean>`message_vector.id >> ${sql.raw(String(seqBits))} = embedding.id`),
)

/** Returns the codes of an embedding with numbers after `seq`, in order, at most `limit`. */
export function* codesAfter({ id: embedding, partition_id: partition }: EmbeddingKey, seq: number, limit: number): Program<CodesPage> {
  const page = yield* first(after, { partition, embedding, seq, last: 2 ** seqBits - 1, limit })
  // The store itself has just written these numbers, so they need no check.
  const numbers: number[] = JSON.parse(`[${page?.numbers ?? ''}]`)
  const rows: CodeRow[] = []
  let to = 0
  for (let at = 0; at < numbers.length; at += numbersPerRow) {
    const from = to
    to += numbers[at + 3] ?? 0
    rows.push({ seq: numbers[at] ?? 0, ord: numbers[at + 1] ?? 0, scale: (numbers[at + 2] ?? 0) / scaleUnits, from, to })
  }
  return { bodies: page?.bodies ?? new Uint8Array(0), rows }
}

/** Returns vectors as they were made, with their passages, in no order and without those that are gone. */
export function vectorsAt(
  { id: embedding, partition_id: partition }: EmbeddingKey,
  seqs: readonly number[],
): Program<readonly (Pick<VectorTable, 'begins' | 'ends' | 'body'> & { seq: number })[]> {
  return all(byIds, { partition, embedding, seqs: JSON.stringify(seqs) })
}

/** Returns the passages of some vectors, in no order and without those that are gone. */
export function rangesAt(
  { id: embedding, partition_id: partition }: EmbeddingKey,
  seqs: readonly number[],
): Program<readonly (Pick<VectorTable, 'begins' | 'ends'> & { seq: number })[]> {
  return all(rangesByIds, { partition, embedding, seqs: JSON.stringify(seqs) })
}

/**
 * Returns the vectors of messages at places of a session: the first passage of each, by the newest model that has any.
 * Leaves out messages without a vector.
 */
export function* vectorsBetween(partition: number, session: number, from: number, to: number): Program<ReadonlyMap<number, Uint8Array>> {
  const rows = (yield* all(ofSession, { partition, session, from, to })).filter(({ body }) => body.length > 0)
  const newest = rows.at(-1)?.embedding
  return new Map(rows.filter(({ embedding }) => embedding === newest).map(({ seq, body }) => [seq, body]))
}

/** Returns the vector of a message's beginning and the model that made it, the newest; undefined for none. */
export function firstVector(partition: number, ord: number): Program<(VectorMaker & Pick<VectorTable, 'body'>) | undefined> {
  return first(firstPassage, { partition, ord })
}

/** Returns the last passage of a message that has a vector. */
export function lastPassage(
  embedding: number,
  partition: number,
  ord: number,
): Program<Pick<VectorTable, 'passage' | 'begins' | 'ends'> | undefined> {
  return first(lastOf, { embedding, partition, ord, last: 2 ** seqBits - 1 })
}

/** Stores a passage's vector under a number of its embedding. Without a code it is never found, and never asked for again. */
export function* storeVector(
  embedding: number,
  seq: number,
  vector: Omit<VectorTable, 'id'>,
  code?: { scale: number; body: Uint8Array },
): Program<void> {
  const codes = code === undefined ? [] : [change(insertCode, { partition: vector.partition_id, embedding, seq, ord: vector.ord, ...code })]
  yield* runList([change(insertVector, { embedding, seq, ...vector }), ...codes])
}

/**
 * Returns the bytes of all vectors at some ordinals, by ordinal and of every model. The files are searched for them,
 * since a vector tells what its text was about.
 */
export function* vectorBytesAt(ordinals: Ordinals): Program<ReadonlyMap<number, readonly Uint8Array[]>> {
  const found = new Map<number, Uint8Array[]>()
  for (const { ord, vector, code } of yield* all(bodiesAt, ordinals)) {
    const bytes = found.get(ord) ?? []
    found.set(ord, bytes)
    if (code === null) bytes.push(vector)
    else bytes.push(vector.length > mostInPlace ? vector.subarray(0, alwaysInPlace) : vector, code)
  }
  return found
}

/** Returns the steps that erase all vectors at some ordinals, of every model. */
export function vectorDrops(ordinals: Ordinals): readonly SingleStep[] {
  return [change(deleteCodes, ordinals), change(deleteVectors, ordinals)]
}

/** Removes up to `limit` vectors of an embedding that nobody makes any more. Returns whether all are gone. */
export function* dropVectors({ id: embedding, partition_id: partition }: EmbeddingKey, limit: number): Program<boolean> {
  const range = { partition, embedding, last: 2 ** seqBits - 1 }
  const [, , left] = yield* abreast([
    run(deleteSomeCodes, { ...range, limit }),
    run(deleteSomeVectors, { ...range, limit }),
    first(anyOf, range),
  ])
  return left === undefined
}

/** Counts the passages that a model refused. */
export function* countRefused(model: number): Program<number> {
  return (yield* first(refusedBy, { model }))?.passages ?? 0
}
