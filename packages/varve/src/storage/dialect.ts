import { type AliasedRawBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'

/** The engines for which queries are compiled. */
export const dialectNames = ['sqlite', 'postgres'] as const

export type DialectName = (typeof dialectNames)[number]

/** A column, or any expression, as kysely takes it in a template. */
type Expression<Value> = RawBuilder<Value>

/** A query or a join that takes one more condition. */
interface Narrowed<Query> {
  where(condition: RawBuilder<SqlBool>): Query
}

interface Joined<Join> {
  on(condition: RawBuilder<SqlBool>): Join
}

interface Selecting<Query> {
  select(column: AliasedRawBuilder<number | null, 'home_id'>): Query
}

/** The name of the column by which PostgreSQL's tables are distributed. */
const home = 'partition_id'

/**
 * The parts of SQL that engines write differently. The rest of a query is plain SQL for both. Lists of arguments travel
 * as JSON, so that a query has one text for lists of any length.
 */
export interface Dialect {
  /** A JSON list of numbers, as rows to be looked for in: `where('ord', 'in', d.numbers(p('ords')))`. */
  numbers(json: string): Expression<number>
  /** A JSON list of texts as rows. */
  texts(json: string): Expression<string>
  /** A JSON list of ids as the store keeps them. */
  ids(json: string): Expression<Uint8Array>
  /** A JSON list of [number, text], as rows of two columns. */
  pairs(json: string): Expression<unknown>
  /** A JSON list as a table of `key`, a place from 0, and `value`, whose parts are `value ->> 0` and so on. */
  entries(json: string): Expression<{ key: number; value: string }>
  /** An id as the store keeps it, of a part of an entry. */
  id(text: Expression<string>): Expression<Uint8Array>
  /** An argument as a number, where the context does not give its type. */
  number(argument: number): Expression<number>
  /** The smaller of two numbers that are not null. */
  least(one: Expression<number>, other: Expression<number>): Expression<number>
  /** A number shifted left by some bits, in 64 bits. */
  shifted(argument: number, bits: number): Expression<number>
  /** Rows of `(high << bits) | low` for a list of low numbers. */
  shiftedEach(high: number, bits: number, json: string): Expression<number>
  /** The sum of a column of whole numbers, as a whole number. */
  sum(column: Expression<number>): Expression<number>
  /** A condition as 0 or 1. */
  flag(condition: Expression<unknown>): Expression<number>
  /** Text in byte order, whatever the language of the store: for sorting and comparing. */
  bytewise(text: Expression<string>): Expression<string>
  /** A column of long texts that is a text. PostgreSQL keeps no text of over 2,704 bytes in an index: its beginning stands there. */
  sameText(column: string, text: string): Expression<SqlBool>
  /** The first characters of a text. */
  beginning(text: Expression<string>, length: Expression<number>): Expression<string>
  /** The bytes of a page's rows end to end, in the order of a column. No body has a zero byte, so SQLite may treat it as text. */
  joinedBytes(column: string, by: string): Expression<Uint8Array | null>
  /** Whole numbers of a page's rows in one list with commas, in the same order. */
  joinedNumbers(columns: readonly string[], by: string): Expression<string | null>
  /** A whole number in a column of JSON objects, by its group and name; null where it is absent. */
  member(column: string, group: string, name: string): Expression<number | null>
  /** The 64-bit integer of a number without a fraction, as SQL. */
  integer(expression: string): string
  /**
   * The rows of a partition, of those that a query finds by another key: `$call(d.within(p('partition')))`. A caller rests
   * on it on both engines. PostgreSQL's indexes begin with it, and it tells in which part of a table the rows stand. SQLite
   * finds a row by the key alone and looks at its partition.
   */
  within(partition: number, table?: string): <Query extends Narrowed<Query>>(query: Query) => Query
  /** The same for any of some partitions, as `partitionList` writes them. */
  among(partitions: string, ...tables: readonly string[]): <Query extends Narrowed<Query>>(query: Query) => Query
  /**
   * The same for the tables whose partition is a column of PostgreSQL alone: parts of a page, a block, a deed or an import.
   * On SQLite it says nothing. **The caller must have found the page, the block, the deed or the import in its partition**,
   * or look whose the row is that it gets.
   */
  withinApart(partition: number, table?: string): <Query extends Narrowed<Query>>(query: Query) => Query
  amongApart(partitions: string, ...tables: readonly string[]): <Query extends Narrowed<Query>>(query: Query) => Query
  /** Joins a table with rows of the same partition, which another key of the join tells too: on SQLite it says nothing. */
  beside(table: string, other: string): <Join extends Joined<Join>>(join: Join) => Join
  /** Joins a table with rows of a partition. */
  joined(table: string, partition: number): <Join extends Joined<Join>>(join: Join) => Join
  joinedApart(table: string, partition: number): <Join extends Joined<Join>>(join: Join) => Join
  /** Joins a table with items: with rows of the partition of each item's session. */
  atHome(table: string): <Join extends Joined<Join>>(join: Join) => Join
  /** The partition of each selected item's session, page or block, as `home_id`. PostgreSQL keeps it in the row. */
  withHome<Query extends Selecting<Query>>(query: Query): Query
  /** A condition that PostgreSQL alone gets, in text: `and …`. */
  also(condition: RawBuilder<unknown>): RawBuilder<unknown>
  /** A row with columns that PostgreSQL alone has. */
  apart<Row extends object>(own: object, row: Row): Row
  /** The columns of a key, for `onConflict`: on PostgreSQL it begins with the partition. */
  key(columns: readonly string[]): Expression<unknown>
  /**
   * True for rows of the journal whose transaction has ended, with all that may still tell of something before it. Where
   * writes wait for each other, these are all rows.
   */
  settled(): Expression<SqlBool>
  /** The id of the journal's row that so many newer ones follow, or a smaller number. */
  journalRow(newer: number): Expression<number>
}

/** The characters of a long text that stand in an index of PostgreSQL: at most 800 bytes. */
const indexedCharacters = 200

const homeOfItem = sql<number | null>`case when item.session_id > 0 then (select partition_id from session where id = item.session_id)
  when item.page_id > 0 then (select partition_id from page where id = item.page_id)
  else (select partition_id from block where uuid = item.uuid) end`.as('home_id')

const sqlite: Dialect = {
  numbers: (json) => sql<number>`(select value from json_each(${json}))`,
  texts: (json) => sql<string>`(select value from json_each(${json}))`,
  ids: (json) => sql<Uint8Array>`(select unhex(value, '-') from json_each(${json}))`,
  pairs: (json) => sql`(select value ->> 0, value ->> 1 from json_each(${json}))`,
  entries: (json) => sql<{ key: number; value: string }>`json_each(${json})`,
  id: (text) => sql<Uint8Array>`unhex(${text}, '-')`,
  number: (argument) => sql<number>`${argument}`,
  least: (one, other) => sql<number>`min(${one}, ${other})`,
  shifted: (argument, bits) => sql<number>`(${argument} << ${sql.lit(bits)})`,
  shiftedEach: (high, bits, json) => sql<number>`(select ((${high} << ${sql.lit(bits)}) | value) from json_each(${json}))`,
  sum: (column) => sql<number>`sum(${column})`,
  flag: (condition) => sql<number>`${condition}`,
  bytewise: (text) => text,
  sameText: (column, text) => sql<SqlBool>`${sql.ref(column)} = ${text}`,
  beginning: (text, length) => sql<string>`substr(${text}, 1, ${length})`,
  // The rows of a page come in its order.
  joinedBytes: (column) => sql<Uint8Array | null>`cast(group_concat(cast(${sql.ref(column)} as text), '') as blob)`,
  joinedNumbers: (columns) => sql<string | null>`group_concat(${sql.raw(columns.join(" || ',' || "))})`,
  member: (column, group, name) => sql<number | null>`(${sql.ref(column)} ->> ${sql.lit(`$.${group}.${name}`)})`,
  integer: (expression) => `cast(${expression} as integer)`,
  // The + keeps the planner at the key that finds the row (sqlite.org/optoverview.html, "disqualifying WHERE-clause terms").
  within: (partition, table) => (query) => narrowed(query, sql`+${homeOf(table)} = ${partition}`),
  among: (partitions, ...tables) =>
    narrowedEach(tables, (column) => sql`+${column} in (select value from json_each('[' || trim(${partitions}, '{}') || ']'))`),
  withinApart: () => (query) => query,
  amongApart: () => (query) => query,
  beside: () => (join) => join,
  joined: (table, partition) => (join) => onto(join, sql`+${homeOf(table)} = ${partition}`),
  joinedApart: () => (join) => join,
  atHome: () => (join) => join,
  withHome: (query) => query.select(homeOfItem),
  also: () => sql``,
  apart: (_, row) => row,
  key: (columns) => sql.join(columns.map((column) => sql.ref(column))),
  settled: () => sql<SqlBool>`1`,
  // No number is left out.
  journalRow: (newer) => sql<number>`(select max(id) - ${newer} from journal)`,
}

const withinPlaced: Dialect['within'] = (partition, table) => (query) => narrowed(query, sql`${homeOf(table)} = ${partition}`)

const amongPlaced: Dialect['among'] = (partitions, ...tables) =>
  narrowedEach(tables, (column) => sql`${column} = any(${partitions}::bigint[])`)

const joinedPlaced: Dialect['joined'] = (table, partition) => (join) => onto(join, sql`${homeOf(table)} = ${partition}`)

const beginningOf = (text: RawBuilder<unknown>): RawBuilder<unknown> => sql`left(${text}, ${sql.lit(indexedCharacters)})`

const postgres: Dialect = {
  numbers: (json) => sql<number>`(select value::bigint from json_array_elements_text(${json}::json))`,
  texts: (json) => sql<string>`(select value from json_array_elements_text(${json}::json))`,
  ids: (json) => sql<Uint8Array>`(select decode(replace(value, '-', ''), 'hex') from json_array_elements_text(${json}::json))`,
  pairs: (json) => sql`(select (value ->> 0)::bigint, value ->> 1 from json_array_elements(${json}::json))`,
  entries: (json) =>
    sql<{
      key: number
      value: string
    }>`(select place - 1 as key, value from json_array_elements(${json}::json) with ordinality as listed (value, place))`,
  id: (text) => sql<Uint8Array>`decode(replace(${text}, '-', ''), 'hex')`,
  number: (argument) => sql<number>`${argument}::bigint`,
  least: (one, other) => sql<number>`least(${one}, ${other})`,
  // Without a type, PostgreSQL would shift an argument as an integer of 32 bits.
  shifted: (argument, bits) => sql<number>`(${argument}::bigint << ${sql.lit(bits)})`,
  shiftedEach: (high, bits, json) =>
    sql<number>`(select ((${high}::bigint << ${sql.lit(bits)}) | value::bigint) from json_array_elements_text(${json}::json))`,
  sum: (column) => sql<number>`sum(${column})::bigint`,
  flag: (condition) => sql<number>`(${condition})::int`,
  bytewise: (text) => sql<string>`${text} collate "C"`,
  sameText: (column, text) =>
    sql<SqlBool>`(${beginningOf(sql.ref(column))} = ${beginningOf(sql`${text}`)} and ${sql.ref(column)} = ${text})`,
  beginning: (text, length) => sql<string>`substr(${text}, 1, (${length})::int)`,
  joinedBytes: (column, by) => sql<Uint8Array | null>`string_agg(${sql.ref(column)}, ''::bytea order by ${sql.ref(by)})`,
  joinedNumbers: (columns, by) =>
    sql<string | null>`string_agg(concat_ws(',', ${sql.raw(columns.join(', '))}), ',' order by ${sql.ref(by)})`,
  member: (column, group, name) => sql<number | null>`(${sql.ref(column)}::json #>> ${sql.lit(`{${group},${name}}`)})::bigint`,
  integer: (expression) => `(${expression})::bigint`,
  within: withinPlaced,
  among: amongPlaced,
  withinApart: withinPlaced,
  amongApart: amongPlaced,
  beside: (table, other) => (join) => onto(join, sql`${homeOf(table)} = ${homeOf(other)}`),
  atHome: (table) => (join) => onto(join, sql`${homeOf(table)} = item.home_id`),
  joined: joinedPlaced,
  joinedApart: joinedPlaced,
  withHome: (query) => query,
  also: (condition) => condition,
  apart: (own, row) => ({ ...own, ...row }),
  key: (columns) => sql.join([home, ...columns].map((column) => sql.ref(column))),
  // A number begins with the number of its transaction, and takes 16 bits more.
  settled: () => sql<SqlBool>`journal.id < (pg_snapshot_xmin(pg_current_snapshot())::text::bigint << 16)`,
  journalRow: (newer) =>
    sql<number>`(select coalesce(max(id), 0) from (select id from journal order by id desc limit 1 offset ${newer}) as nth)`,
}

function homeOf(table: string | undefined): RawBuilder<unknown> {
  return sql.ref(table === undefined ? home : `${table}.${home}`)
}

/** A query with one more condition is of the same type. */
function narrowed<Query extends Narrowed<Query>>(query: Query, condition: RawBuilder<SqlBool>): Query {
  return query.where(condition)
}

/** A condition for each of some tables, or for the one table of the query. */
function narrowedEach(
  tables: readonly string[],
  condition: (column: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): <Query extends Narrowed<Query>>(query: Query) => Query {
  return (query) => (tables.length === 0 ? [undefined] : tables).reduce((one, table) => narrowed(one, condition(homeOf(table))), query)
}

function onto<Join extends Joined<Join>>(join: Join, condition: RawBuilder<SqlBool>): Join {
  return join.on(condition)
}

export const dialects: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres }
