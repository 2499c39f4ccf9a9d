import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from './compile-statement.ts'
import { migrate } from './sqlite/migrate.ts'
import { openConnection } from './sqlite/open-connection.ts'
import { queries } from './statement.ts'

/** SQL that SQLite takes and PostgreSQL refuses or silently reads otherwise, each with an example that the pattern finds. */
const idioms: readonly (readonly [name: string, found: RegExp, example: string])[] = [
  ['a placeholder of SQLite', /\?/, 'select ?'],
  ['json_each', /\bjson_each\b/, 'select value from json_each($1)'],
  ['group_concat', /\bgroup_concat\b/, "group_concat(body, '')"],
  [
    'min or max of two values, which is least or greatest',
    /\b(?:min|max)\([^()]*(?:\([^()]*\)[^()]*)*,/,
    'min(session.created_at, coalesce(a, b))',
  ],
  ['a shift of an argument without a type, which is an integer of 32 bits', /\$\d+\s*(?:<<|>>)/, '($1 << 32)'],
  ['an argument without a type beside a literal', /\$\d+\s*(?:=\s*\d|in \(\d)/, '$1 in (0, session.partition_id)'],
  ['a cast to an integer of 32 bits', /\bas integer\)/, 'cast(scale * 2 as integer)'],
  ['a cast to a blob', /\bas blob\)/, 'cast(body as blob)'],
  ['a sum, which is numeric', /\bsum\((?:[^()]|\([^()]*\))*\)(?!::bigint)/, 'sum("tokens") as "tokens"'],
  [
    'the beginning of a text by a number of 64 bits',
    /\bsubstr\([^,]+,[^,]+,(?![^)]*\)::int\))/,
    'substr(message.content, 1, assertion_source.ends)',
  ],
  [
    'functions and columns that only SQLite has',
    /\b(?:ifnull|instr|unhex|rowid|glob|total|unixepoch|strftime|last_insert_rowid)\b/,
    'ifnull(a, b)',
  ],
]

const connection = openConnection(':memory:')
migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })

/** Text columns: without an explicit collation they sort by the store's own language. */
const texts = new Set(
  connection
    .prepare<[], { name: string }>(`
  SELECT c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.schema = 'main' AND t.name \
NOT LIKE 'sqlite_%' AND c.type = 'TEXT'`)
    .all()
    .map(({ name }) => name),
)

/** Returns the text columns by which a query sorts or compares, and whose order depends on the store's language. */
function unordered(sql: string): string[] {
  const sorted = [...sql.matchAll(/\border by ((?:"\w+"\.)?"\w+"[^()]*)/g)].flatMap(([, terms = '']) => terms.split(', '))
  const compared = [...sql.matchAll(/(?:"\w+"\.)?"(\w+)" (?:[<>]=?) /g)].map(([term]) => term)
  return [...sorted, ...compared].filter(
    (term) => texts.has(/"(\w+)"(?! ?\.)/.exec(term.replace(/^"\w+"\./, ''))?.[1] ?? '') && !term.includes('collate "C"'),
  )
}

const folder = import.meta.dirname
const files = globSync('**/*.ts', { cwd: folder }).filter((name) => !name.startsWith('sqlite/') && !name.endsWith('.test.ts'))
for (const name of files) await import(join(folder, name))

test('every query of the store is looked at', () => {
  const written = files.map((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/= statement</g)].length)
  expect(queries.length).toBe(written.reduce((sum, count) => sum + count, 0))
  expect(queries.length).toBeGreaterThan(250)
})

test('SQLite takes its text of every query', () => {
  for (const query of queries) expect(() => connection.prepare(compile(query).sql), compile(query).sql).not.toThrow()
})

test('PostgreSQL’s text of every query has nothing in it that only SQLite takes', () => {
  for (const query of queries) {
    const { sql, order } = compile(query, 'postgres')
    expect(
      idioms.filter(([, found]) => found.test(sql)).map(([name]) => name),
      sql,
    ).toEqual([])
    expect(unordered(sql), sql).toEqual([])
    expect(new Set(sql.match(/\$\d+/g)).size, sql).toBe(order.length)
  }
})

test.each(idioms)('%s is found', (_, found, example) => {
  expect(example).toMatch(found)
})

test('text in the order of the store’s own language is found', () => {
  expect(unordered('select 1 from "item" where "period" >= $1 order by "ord" desc, "item"."period" limit $2')).toEqual([
    '"item"."period" limit $2',
    '"period" >= ',
  ])
  expect(unordered('select 1 from "item" where "ord" >= $1 order by "period" collate "C" desc, "ord"')).toEqual([])
})

test('a query that is compiled for one engine is compiled for the other apart', () => {
  for (const query of queries.slice(0, 1)) {
    const [one, other] = [compile(query), compile(query, 'postgres')]
    expect(compile(query, 'sqlite')).toBe(one)
    expect(compile(query, 'postgres')).toBe(other)
    expect(other.sql).not.toBe(one.sql)
  }
})

test('PostgreSQL looks for a list in a column as an array, so that an index finds its parts without statistics', () => {
  const texts = queries.map((query) => compile(query, 'postgres').sql)
  const inSelects = texts.filter((sql) =>
    /[\w"] (?:not )?in \(select (?:value|decode)[^()]*(?:\([^()]*\)[^()]*)*json_array_elements_text/.test(sql),
  )
  expect(inSelects).toEqual([])
  expect(texts.filter((sql) => sql.includes('= any(array(select ')).length).toBeGreaterThan(50)
  expect(texts.filter((sql) => sql.includes('<> all(array(select ')).length).toBeGreaterThan(0)
})
