import { expect, test } from 'vitest'
import { foldInserts, insertOfRows, isPlainInsert } from './fold-inserts.ts'
import type { SingleStep } from '../program.ts'

const [message, terms, counters] = [{ compiled: {} }, { compiled: {} }, { compiled: {} }]
const step = (query: SingleStep['query'], at: number): SingleStep => ({ query, params: { at }, mode: query === counters ? 'all' : 'run' })
const fold = (list: readonly SingleStep[]) => foldInserts(list, ({ mode }) => mode === 'run')
const batch = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => [step(message, from + at), step(terms, from + at)]).flat()

const plain = { sql: 'insert into "note" ("id", "kind", "text") values ($1, $2, $3)', order: ['id', { constant: 1 }, 'text'] }

test('an insert of plain values is written for several rows', () => {
  expect(isPlainInsert(plain)).toBe(true)
  expect(insertOfRows(plain, 3)).toBe('insert into "note" ("id", "kind", "text") values ($1, $2, $3), ($4, $5, $6), ($7, $8, $9)')
})

test.each([
  'insert into "note" ("id") values ($1) on conflict do nothing',
  'insert into "note" ("id") values ($1) returning "id"',
  'insert into "note" ("id") values ((select max("id") from "note") + $1)',
  'insert into "note" ("id") select $1',
  'update "note" set "text" = $1',
])('%s stays alone', (sql) => {
  expect(isPlainInsert({ sql, order: ['id'] })).toBe(false)
})

test('inserts that stand in a row are joined by their tables, in their order', () => {
  const list = batch(75)
  const { groups, groupOf } = fold(list)
  expect(groups.map((steps) => [steps[0]?.query === message ? 'message' : 'terms', steps.length])).toEqual([
    ...[64, 8, 1, 1, 1].map((size) => ['message', size]),
    ...[64, 8, 1, 1, 1].map((size) => ['terms', size]),
  ])
  for (const query of [message, terms])
    expect(groups.flat().filter((one) => one.query === query)).toEqual(list.filter((one) => one.query === query))
  expect(list.every((one, place) => groups[groupOf[place] ?? -1]?.includes(one) === true)).toBe(true)
})

test('no insert passes another statement, whose answer keeps its place', () => {
  const list = [...batch(10), step(counters, 0), ...batch(10, 10)]
  const { groups, groupOf } = fold(list)
  const at = groupOf[20] ?? -1
  expect(groups[at]).toEqual([list[20]])
  expect(groups.slice(0, at).flat()).toHaveLength(20)
  expect(groups.slice(at + 1).flat()).toHaveLength(20)
  expect(groups.slice(0, at).flat()).toEqual(expect.arrayContaining(list.slice(0, 20)))
})

test('a short list is sent as it is', () => {
  const list = batch(3)
  expect(fold(list)).toEqual({ groups: list.map((one) => [one]), groupOf: [0, 1, 2, 3, 4, 5] })
})
