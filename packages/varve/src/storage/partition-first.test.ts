import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from './compile-statement.ts'
import { distributedTables, wholeTables } from './postgres/distributed-tables.ts'
import { base } from './postgres/migrations/0012-base.ts'
import { postgresColumns } from './sqlite/postgres-columns.ts'
import { queries } from './statement.ts'

const folder = import.meta.dirname
const files = globSync('**/*.ts', { cwd: folder }).filter((name) => !/^(?:sqlite|postgres)\//.test(name) && !name.endsWith('.test.ts'))
for (const name of files) await import(join(folder, name))

const distributed: ReadonlySet<string> = new Set(distributedTables)

/**
 * The queries that look into the partitions of others, by words of their text. On many servers each of them asks all.
 *
 * Looks for due work, and their counts, are made by upkeep, a few a minute. A project's own are made when somebody changes
 * its sharing, or forgets in it. Items of a shared bank are of its members' sessions: each row tells in which partition.
 */
const exceptions: readonly (readonly [why: string, found: RegExp])[] = [
  ['due work', /^select "partition"\."id"[^]* from "partition" [^]*(?:"session"|page_fact)/],
  ['due work', /^select (?:\(\(\(|count\(\*\) as "sessions"|"provisional", count)[^]* from "session"/],
  ['due work', /^select count\(\*\) as "facts" from "page_fact" where "page_id" = 0$/],
  ['due work', /^select "partition"\."id" as "partition(?:_id)?", "partition"\."seq"[^]* left join "(?:embedding|work)"/],
  ['due work', /^select "session"\."id" as "session"[^]* where "session"\."last_recorded_at" >= /],
  ['due work', /^select "id", "partition_id" from "page" where "indexed" = 0$/],
  ['old vectors', /from "embedding" as "old"|^select count\(\*\) as "passages" from "message_vector"/],
  [
    'old changes by hand',
    /^select (?:"id", "partition_id" from "deed" where "done_at" <|"partition_id" as "partition" from "deed" group by)/,
  ],
  ['a replay of receipts', /where "deed"\."uuid" = any/],
  ['a context by its id alone', /^select "context_record"\."id",[^]* where "uuid" = \$1 and "shown" is not null$/],
  ['a project', /"partition_id" in \(select "?id"? from "?partition"? where "?project_id"? = /],
  ['the members of a project', /^select "partition"\."owner" as "name", "partition"\."share"/],
  ['items of members', /(?:"session"|"message"|"page")\."partition_id" = item\.home_id/],
  ['changes of a project', /from "journal" [^]*"session"\."partition_id" = "journal"\."partition_id"/],
]

/** A select, an update or a delete without those in parentheses, which stand as `()` in it. */
function levelsOf(sql: string): readonly string[] {
  const levels: string[] = []
  const open: string[] = ['']
  for (const char of sql) {
    if (char === '(') {
      open[open.length - 1] += '('
      open.push('')
    } else if (char === ')' && open.length > 1) {
      levels.push(open.pop() ?? '')
      open[open.length - 1] += ')'
    } else open[open.length - 1] += char
  }
  return [...levels, ...open]
}

interface Reference {
  readonly table: string
  readonly alias: string
}

function referencesIn(level: string): readonly Reference[] {
  const named = level.replaceAll('"', '')
  return [...named.matchAll(/\b(?:from|join|update|into) (\w+)(?: as (\w+))?/g)]
    .map(([, table = '', alias]) => ({ table, alias: alias ?? table }))
    .filter(({ table }) => distributed.has(table))
}

/** Returns the references to tables whose partition the text does not name by an argument, or by another that is named. */
function unnamedIn(sql: string): readonly string[] {
  const text = sql.replaceAll('"', '')
  const references = levelsOf(sql).flatMap((level) => referencesIn(level).map((one) => ({ ...one, level: level.replaceAll('"', '') })))
  const named = new Set<string>()
  const isArgument = (of: string, within: string): boolean =>
    new RegExp(`(?<![\\w.])${of}partition_id (?:= (?:\\$\\d|any\\()|in \\()`).test(within)
  const isNamed = ({ table, alias, level }: Reference & { readonly level: string }): boolean =>
    isArgument(`${alias}\\.`, text) ||
    isArgument('', level) ||
    (level.startsWith(`insert into ${table}`) && /^insert into \w+ \([^]*/.test(level) && /\bpartition_id\b/.test(text)) ||
    [
      ...text.matchAll(
        new RegExp(`(?:\\b${alias}\\.partition_id = (\\w+)\\.partition_id|(\\w+)\\.partition_id = ${alias}\\.partition_id)`, 'g'),
      ),
    ].some(([, one, other]) => named.has(one ?? '') || named.has(other ?? ''))
  for (let before = -1; before < named.size;) {
    before = named.size
    for (const one of references) if (isNamed(one)) named.add(one.alias)
  }
  return references.filter(({ alias }) => !named.has(alias)).map(({ alias }) => alias)
}

test('every query names the partition of the rows that it touches, but for a few that look into all', () => {
  const without = queries
    .map((query) => compile(query, 'postgres').sql)
    .filter((sql) => unnamedIn(sql).length > 0 && exceptions.every(([, found]) => !found.test(sql)))
  expect(without).toEqual([])
  expect(queries.length).toBeGreaterThan(500)
})

/** Conditions on a partition that is an argument: `= $1`, or `any($1)` of PostgreSQL and `in (…)` of SQLite. */
const conditionsIn = (sql: string): number => sql.match(/"partition_id" (?:= [+]?[$?]|in \(select value|= any\()/g)?.length ?? 0

const toldByAnother = new RegExp(
  `"(?:${Object.entries(postgresColumns)
    .filter(([, { name }]) => name === 'partition_id')
    .map(([table]) => table)
    .join('|')})"`,
)

/** SQLite keeps these ids unique in the store: an import looks whose they are before it gives one. */
const idsOfTheStore = /^select [^]* from "(?:item|block|page|instruction)" where "uuid" = /

test('SQLite looks at the same partitions, but in tables whose rows another row tells', () => {
  const other = queries
    .map((query) => [compile(query, 'sqlite').sql, compile(query, 'postgres').sql] as const)
    .filter(([sqlite, postgres]) => conditionsIn(sqlite) !== conditionsIn(postgres) && !toldByAnother.test(sqlite))
    .map(([, postgres]) => postgres)
  expect(other.filter((sql) => !idsOfTheStore.test(sql))).toEqual([])
  expect(other.length).toBeLessThanOrEqual(4)
})

test('each exception is of a query that there is', () => {
  const texts = queries.map((query) => compile(query, 'postgres').sql).filter((sql) => unnamedIn(sql).length > 0)
  expect(exceptions.filter(([, found]) => !texts.some((sql) => found.test(sql))).map(([why, found]) => `${why}: ${found}`)).toEqual([])
})

test.each([
  ['select * from "session" where "id" = $1', ['session']],
  ['select * from "session" where "id" = $1 and "partition_id" = $2', []],
  ['select 1 from "item" inner join "session" on "session"."id" = "item"."session_id" where "item"."partition_id" = $1', ['session']],
  [
    'select 1 from "item" as "a" join "item" as "b" on "b"."partition_id" = "a"."partition_id" where "a"."partition_id" = any($1::int8[])',
    [],
  ],
  [
    'delete from "page" where "partition_id" = $1 and "id" in (select "page_id" from "page_source" where "session_id" = $2)',
    ['page_source'],
  ],
  ['insert into "deed_text" ("deed_id", "place") values ($1, $2)', ['deed_text']],
  ['insert into "deed_text" ("partition_id", "deed_id", "place") values ($1, $2, $3)', []],
])('of %s, %j has no partition', (sql, expected) => {
  expect(unnamedIn(sql)).toEqual(expected)
})

test('every key and every index of those tables begins with the partition', () => {
  const tables = [...base.matchAll(/CREATE TABLE (\w+) \(\n([^]*?)\n\);/g)].map(([, name = '', body = '']) => ({ name, body }))
  expect(tables.map(({ name }) => name).toSorted()).toEqual(
    [...distributedTables, ...Object.keys(wholeTables)].filter((name) => name !== 'meta' && name !== 'schema_migration').toSorted(),
  )
  const keys = tables
    .filter(({ name }) => distributed.has(name))
    .map(({ name, body }) => [name, [...body.matchAll(/(?:PRIMARY KEY|UNIQUE)(.*)/g)].map(([, columns = '']) => columns.trim())] as const)
  for (const [name, columns] of keys) {
    expect(columns.length, name).toBeGreaterThan(0)
    for (const one of columns) expect(one, name).toMatch(/^\(partition_id\b/)
  }
  const indexes = [...base.matchAll(/CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+) \(([^)]*)/g)].filter(([, , table = '']) =>
    distributed.has(table),
  )
  expect(indexes.length).toBeGreaterThan(40)
  for (const [, name, , columns] of indexes) expect(columns, name).toMatch(/^partition_id\b/)
})

test('no column of those tables is an identity: PostgreSQL 15 has none in tables of several parts', () => {
  for (const table of distributedTables)
    expect(new RegExp(`CREATE TABLE ${table} \\(([^]*?)\\n\\);`).exec(base)?.[1], table).not.toMatch(/IDENTITY/)
})
