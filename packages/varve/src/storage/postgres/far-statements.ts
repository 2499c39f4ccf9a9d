import { derivedKind } from '../partitions.ts'
import type { VectorTable } from '../schema.ts'
import type { Statement } from '../statement.ts'
import { farTable, mostFarIndexes } from './far-table.ts'

/** The passages that the index gives for a question. */
const nearest = 64

/** The messages on each side that are read with one that was found: as far as recall looks (index/windows.ts). */
const beside = 3

/** The most components that pgvector's index takes of a vector of half numbers. */
export const mostFarComponents = 4_000

/** The bits of a vector's id below its embedding's (segment/vectors.ts). */
const seqBits = 32

/** The table, in the schema of the store. A vector that is erased takes its copy along. */
export function farTableSql(extension: string): string {
  return `create table if not exists ${farTable} (
  partition_id bigint not null,
  embedding_id bigint not null,
  id bigint not null,
  ord bigint not null,
  code ${extension}.halfvec not null,
  primary key (partition_id, id),
  foreign key (partition_id, id) references message_vector (partition_id, id) on delete cascade
)`
}

/** A query of PostgreSQL alone: `@name` stands for an argument. It is planned with its arguments, which choose the index. */
function written<Params extends object, Row>(text: string): Statement<Params, Row> {
  const order: string[] = []
  const sql = text.replaceAll(/@(\w+)/g, (_, name: string) => {
    if (!order.includes(name)) order.push(name)
    return `$${order.indexOf(name) + 1}`
  })
  return { compiled: { postgres: { sql, order } }, isPlannedAnew: true }
}

/** The last id that was copied of an embedding's vectors, and the ids that it may have. */
const copiedTo = (partition: string, embedding: string): string => `coalesce((select max(f.id) from ${farTable} f
    where f.partition_id = ${partition} and f.id > (${embedding} << ${seqBits}) and f.id < ((${embedding} + 1) << ${seqBits})),
  ${embedding} << ${seqBits})`

const lacking = (partition: string, embedding: string): string => `exists (select from message_code c
  where c.partition_id = ${partition} and c.id > ${copiedTo(partition, embedding)} and c.id < ((${embedding} + 1) << ${seqBits}))`

export interface FarDueParams {
  model: number
  dimension: number
  bytes: number
  perStoredByte: number
  perVector: number
  mayMake: number
}

/** A partition over the bound, whose vectors are not all copied or whose index is not there. */
interface FarDueRow {
  readonly partition: number
  readonly embedding: number
  readonly hasIndex: number
}

const due = `select e.partition_id as partition, e.id as embedding,
  (to_regclass(format('${farTable}_%s_%s', e.partition_id, e.id)) is not null) as "hasIndex"
from embedding e join partition p on p.id = e.partition_id
where e.model_id = @model and e.vector_seq > 0 and p.owner_kind < ${derivedKind}
  and p.term_bytes * @perStoredByte::float8 + e.vector_seq * (@dimension::float8 + @perVector::float8) > @bytes::float8
  and (to_regclass(format('${farTable}_%s_%s', e.partition_id, e.id)) is not null or (@mayMake::int = 1
    and (select count(*) from pg_index where indrelid = '${farTable}'::regclass and not indisprimary) < ${mostFarIndexes}))
  and (to_regclass(format('${farTable}_%s_%s', e.partition_id, e.id)) is null or ${lacking('e.partition_id', 'e.id')})
order by p.messages desc, p.id limit 1`

export const findFarDue = written<FarDueParams, FarDueRow>(due)

/** The same, for the one that does it. Another process that copies vectors of the partition has its row. */
export const takeFarDue = written<FarDueParams, FarDueRow>(`${due} for no key update of e skip locked`)

interface OfEmbedding {
  partition: number
  embedding: number
}

/** The next vectors to copy. Their rows are locked: none of them is erased before the copy is there. */
export const readFarNext = written<OfEmbedding & { limit: number }, Pick<VectorTable, 'id' | 'ord' | 'body'>>(
  `select v.id, v.ord, v.body from message_vector v
where v.partition_id = @partition::bigint and v.id > ${copiedTo('@partition::bigint', '@embedding::bigint')}
  and v.id < ((@embedding::bigint + 1) << ${seqBits}) and length(v.body) > 0
order by v.id limit @limit::int for key share`,
)

export const tellFarLacks = written<OfEmbedding, { lacks: number }>(
  `select ${lacking('@partition::bigint', '@embedding::bigint')} as lacks`,
)

/** Indexes of embeddings that are gone. */
export const findFarLeft = written<object, { name: string }>(`select c.relname::text as name
from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = '${farTable}'::regclass and not i.indisprimary
  and not exists (select from embedding e where format('${farTable}_%s_%s', e.partition_id, e.id) = c.relname)`)

export function dropFarIndex(name: string): Statement<object, never> {
  return written(`drop index if exists "${name.replaceAll('"', '""')}"`)
}

/** One index for one partition and one model: no other partition's rows are in it. */
export function makeFarIndex(extension: string, { partition, embedding }: OfEmbedding, dimension: number): Statement<object, never> {
  return written(`create index if not exists ${farTable}_${partition}_${embedding} on ${farTable}
  using hnsw ((code::${extension}.halfvec(${dimension})) ${extension}.halfvec_cosine_ops)
  where partition_id = ${partition} and embedding_id = ${embedding}`)
}

/** Adds copies, as JSON of [id, ordinal, vector]. */
export function addFarRows(extension: string): Statement<OfEmbedding & { rows: string }, never> {
  return written(`insert into ${farTable} (partition_id, embedding_id, id, ord, code)
  select @partition::bigint, @embedding::bigint, (row ->> 0)::bigint, (row ->> 1)::bigint, (row ->> 2)::${extension}.halfvec
  from json_array_elements(@rows::json) row on conflict do nothing`)
}

export interface FarSearchParams extends OfEmbedding {
  upTo: number
  vector: string
  session: number | null
  excludeSession: number | null
  excludeSince: number
  from: number
  to: number
}

export interface FarSearchRow {
  readonly ord: number
  readonly session_id: number
  readonly seq: number
  readonly said_at: number
  readonly traits: number
  readonly terms: Uint8Array
  readonly begins: number | null
  readonly ends: number | null
  readonly cosine: number | null
  readonly vector: Uint8Array | null
}

/**
 * Around a search: the server then always walks the index. Otherwise its choice between the index and a sort of all would rest
 * on the sizes of other partitions too, and the two do not give quite the same messages.
 */
export const walkIndex = written<object, never>('set local enable_sort = off')
export const walkOrSort = written<object, never>('set local enable_sort to default')

const filter = `
    and exists (select from message_terms t where t.partition_id = @partition::bigint and t.ord = f.ord
      and t.said_at between @from::bigint and @to::bigint and (@session::bigint is null or t.session_id = @session::bigint)
      and not (t.session_id is not distinct from @excludeSession::bigint and t.said_at >= @excludeSince::bigint) offset 0)`

/**
 * The messages nearest to a question, with those beside them, in no order. The order by the code as it is indexed uses the
 * index; the one without a dimension never does. Each `offset 0` makes the server look rows up one by one, by their keys: it
 * would join the few found with all of the partition.
 */
export function searchFar(extension: string, dimension: number, isFiltered: boolean): Statement<FarSearchParams, FarSearchRow> {
  const distance = `operator(${extension}.<=>)`
  return written(`with near as materialized (
  select f.id, f.ord from ${farTable} f
  where f.partition_id = @partition::bigint and f.embedding_id = @embedding::bigint and f.ord <= @upTo::bigint${isFiltered ? filter : ''}
  order by f.code::${extension}.halfvec(${dimension}) ${distance} @vector::${extension}.halfvec(${dimension}) limit ${nearest}
), places as (
  select distinct t.session_id, t.seq from near n cross join lateral (
    select session_id, seq from message_terms where partition_id = @partition::bigint and ord = n.ord offset 0
  ) t
), read as (
  select distinct m.ord from places p cross join lateral (
    select ord from message where partition_id = @partition::bigint and session_id = p.session_id
      and seq between p.seq - ${beside} and p.seq + ${beside} offset 0
  ) m
)
select t.ord, t.session_id, t.seq, t.said_at, t.traits, t.body as terms, v.begins, v.ends, v.cosine, v.vector
from read r cross join lateral (
  select * from message_terms where partition_id = @partition::bigint and ord = r.ord offset 0
) t left join lateral (
  select s.begins, s.ends, 1 - (f.code ${distance} @vector::${extension}.halfvec) as cosine,
    case when exists (select from near n where n.id = s.id) then s.body end as vector
  from message_vector s join ${farTable} f on f.partition_id = s.partition_id and f.id = s.id
  where s.partition_id = @partition::bigint and s.ord = t.ord and f.embedding_id = @embedding::bigint
  order by f.code ${distance} @vector::${extension}.halfvec limit 1
) v on true`)
}
