import { expect, test } from 'vitest'
import {
  abreast,
  all,
  allEach,
  answer,
  change,
  first,
  firstEach,
  mostPerStep,
  type Program,
  run,
  runEach,
  runLast,
  runList,
  type Step,
} from './program.ts'
import { runStep } from './sqlite/execute.ts'
import { migrate } from './sqlite/migrate.ts'
import { openConnection } from './sqlite/open-connection.ts'
import { statement } from './statement.ts'

const put = statement<{ name: string; entity: string }>()((db, p) =>
  db.insertInto('entity').values({ partition_id: 1, name_key: p('name'), entity_key: p('entity') }),
)
const rename = statement<{ from: string; to: string }>()((db, p) =>
  db
    .updateTable('entity')
    .set({ entity_key: p('to') })
    .where('partition_id', '=', 1)
    .where('entity_key', '=', p('from')),
)
const called = statement<{ entity: string }>()((db, p) =>
  db
    .selectFrom('entity')
    .select('name_key as name')
    .where('partition_id', '=', 1)
    .where('entity_key', '=', p('entity'))
    .orderBy('name_key'),
)

/** Runs a program on an empty store. Returns its result, and the number of queries in each step. */
function ran<Result>(program: Program<Result>, seen: (step: Step) => void = () => undefined): { result: Result; sizes: number[] } {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const sizes: number[] = []
  let next = program.next([])
  while (next.done !== true) {
    seen(next.value)
    sizes.push('list' in next.value ? next.value.list.length : 1)
    next = program.next(runStep(connection, next.value))
  }
  connection.close()
  return { result: next.value, sizes }
}

test('a list is one step, each of its queries seeing what the ones before it wrote', () => {
  const { result, sizes } = ran(
    (function* () {
      yield* runList([
        change(put, { name: 'a', entity: 'x' }),
        change(put, { name: 'b', entity: 'x' }),
        change(rename, { from: 'x', to: 'y' }),
        change(put, { name: 'c', entity: 'x' }),
      ])
      return yield* allEach(called, [{ entity: 'x' }, { entity: 'y' }, { entity: 'z' }])
    })(),
  )
  expect(result).toEqual([[{ name: 'c' }], [{ name: 'a' }, { name: 'b' }], []])
  expect(sizes).toEqual([4, 3])
})

test('the first row of each, and undefined where there is none', () => {
  const { result } = ran(
    (function* () {
      yield* runEach(
        put,
        ['a', 'b'].map((name) => ({ name, entity: 'x' })),
      )
      return yield* firstEach(called, [{ entity: 'z' }, { entity: 'x' }])
    })(),
  )
  expect(result).toEqual([undefined, { name: 'a' }])
})

test('nothing to ask is no step', () => {
  const { result, sizes } = ran(
    (function* () {
      yield* runEach(put, [])
      yield* runList([])
      return yield* abreast([answer('one'), allEach(called, [])])
    })(),
  )
  expect(result).toEqual(['one', []])
  expect(sizes).toEqual([])
})

function* putThenRead(name: string): Program<readonly string[]> {
  yield* run(put, { name, entity: name })
  const before = yield* all(called, { entity: name })
  yield* runList([change(rename, { from: name, to: `${name}${name}` }), change(put, { name: `${name}2`, entity: `${name}${name}` })])
  return [...before, ...(yield* all(called, { entity: `${name}${name}` }))].map((row) => row.name)
}

test('programs side by side take as many steps as the longest, and each its own rows', () => {
  const nested = abreast([putThenRead('b'), abreast([putThenRead('c'), first(called, { entity: 'nobody' })])])
  const { result, sizes } = ran(abreast([putThenRead('a'), answer(7), nested]))
  expect(result).toEqual([
    ['a', 'a', 'a2'],
    7,
    [
      ['b', 'b', 'b2'],
      [['c', 'c', 'c2'], undefined],
    ],
  ])
  expect(sizes).toEqual([4, 3, 6, 3])
})

test('so many at a time: the next begin when those have ended', () => {
  const { result, sizes } = ran(abreast(['a', 'b', 'c'].map(putThenRead), 2))
  expect(result.map((names) => names[0])).toEqual(['a', 'b', 'c'])
  expect(sizes).toEqual([2, 2, 4, 2, 1, 1, 2, 1])
})

/** Puts a name in the last step, after some steps more. */
function* putLast(name: string, before: number): Program<string> {
  for (let at = 0; at < before; at += 1) yield* all(called, { entity: 'x' })
  yield* runLast([change(put, { name, entity: 'x' })])
  return name
}

test('the last steps of programs side by side are one last step, where they come together', () => {
  const endsOf = (programs: readonly Program<string>[]): readonly (true | undefined)[] => {
    const ends: (true | undefined)[] = []
    const { result } = ran(abreast(programs), (step) => ends.push('list' in step ? step.isLast : undefined))
    expect(result).toHaveLength(programs.length)
    return ends
  }
  expect(endsOf([putLast('a', 1), abreastOf(putLast('b', 1)), answer('nothing')])).toEqual([undefined, true])
  expect(endsOf([putLast('a', 0), putLast('b', 1)])).toEqual([undefined, true])
  expect(endsOf([putLast('a', 1), named(putThenRead('b'))])).toEqual([undefined, undefined, undefined, undefined])
  expect(endsOf([putLast('a', 1), named(all(called, { entity: 'x' }))])).toEqual([undefined, true])
})

function* abreastOf(program: Program<string>): Program<string> {
  return (yield* abreast([program]))[0]
}

function* named(program: Program<readonly unknown[]>): Program<string> {
  return String((yield* program).length)
}

test('a last step that others follow, a few at a time, is no last step', () => {
  const ends: unknown[] = []
  ran(abreast([putLast('a', 0), putLast('b', 0)], 1), (step) => ends.push('list' in step ? step.isLast : undefined))
  expect(ends).toEqual([undefined, true])
})

test('no step holds more queries than one may', () => {
  const names = Array.from({ length: 2 * mostPerStep + 1 }, (_, place) => `n${place}`)
  const { result, sizes } = ran(
    (function* () {
      yield* runEach(
        put,
        names.map((name) => ({ name, entity: name })),
      )
      return (yield* abreast(names.map((entity) => allEach(called, [{ entity }, { entity: 'nobody' }])))).map(([rows]) => rows?.[0]?.name)
    })(),
  )
  expect(result).toEqual(names)
  expect(Math.max(...sizes)).toBe(mostPerStep)
})

test('what one of a list throws is thrown where the list was asked for', () => {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const program = runEach(
    put,
    ['a', 'a'].map((name) => ({ name, entity: 'x' })),
  )
  const { value } = program.next([])
  expect(() => runStep(connection, value ?? { list: [] })).toThrow(/UNIQUE/)
  expect(() => program.throw(new RangeError('stop'))).toThrow('stop')
  connection.close()
})

test('a failed step of programs side by side is told to each, and what one makes of it is thrown', () => {
  const told: string[] = []
  const asking = function* (name: string, made?: Error): Program<unknown> {
    try {
      return yield* all(called, { entity: name })
    } catch (error) {
      throw made ?? error
    } finally {
      told.push(name)
    }
  }
  const own = new Error('its own')
  for (const [made, thrown] of [[undefined, 'the store failed'] as const, [own, 'its own'] as const]) {
    const program = abreast([asking('a'), asking('b', made), answer(1)])
    program.next()
    expect(() => program.throw(new Error('the store failed'))).toThrow(thrown)
  }
  expect(told).toEqual(['a', 'b', 'a', 'b'])
})

test('an engine that answers a list with anything but the rows of each is found out', () => {
  const program = allEach(called, [{ entity: 'x' }])
  program.next([])
  expect(() => program.next([{ name: 'a' }])).toThrow(TypeError)
})
