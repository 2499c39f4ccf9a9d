import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdingAt } from '../../../../test/fixtures/facts/oracle.ts'
import { derive, type Holding, type Stated } from './derive.ts'
import { runs } from '../testing/runs.ts'

const objects = ['oslo', 'rome', 'bern'] as const
const time = fc.integer({ min: 0, max: 20 })
const maybe = (rate: number, value: fc.Arbitrary<number>): fc.Arbitrary<number | null> => fc.option(value, { freq: rate, nil: null })

const stated: fc.Arbitrary<Omit<Stated, 'ord'>> = fc
  .record({
    says: fc.constantFrom(0, 0, 0, 0, 1, 2),
    object_key: fc.constantFrom(...objects),
    instead_key: fc.option(fc.constantFrom(...objects), { freq: 2, nil: null }),
    valid_from: maybe(3, time),
    when_for: maybe(2, fc.integer({ min: 1, max: 6 })),
    valid_until: maybe(2, time),
    said_at: time,
    recorded_at: time,
    withdrawn_at: maybe(1, time),
    single: fc.constantFrom(0, 0, 0, 1),
  })
  .map((row) => ({
    ...row,
    when_from: row.when_for === null ? null : row.valid_from,
    when_to: row.when_for === null || row.valid_from === null ? null : row.valid_from + row.when_for,
    instead_key: row.says === 0 ? row.instead_key : null,
    withdrawn_at: row.withdrawn_at === null ? null : Math.max(row.withdrawn_at, row.recorded_at + 1),
  }))

const history = fc.array(stated, { maxLength: 12 }).map((rows): Stated[] => rows.map((row, place) => ({ ...row, ord: place + 1 })))

const objectsAt = (holdings: readonly Holding<Stated>[], at: number): string[] =>
  [
    ...new Set(holdings.filter(({ isBelieved, from, until }) => isBelieved && from <= at && at < until).map(({ object }) => object)),
  ].toSorted()

const moments = [-1, ...Array.from({ length: 23 }, (_, at) => at), 1_000]

describe('what holds when', () => {
  // requirement: PART-7
  test('is what the definition says, for any statements in any order of times, as of any time', () => {
    fc.assert(
      fc.property(
        history,
        fc.constantFrom(true, false, undefined),
        fc.constantFrom(5, 10, 15, Number.POSITIVE_INFINITY),
        (rows, isSingle, asOf) => {
          const holdings = derive(rows, isSingle, asOf)
          for (const at of moments) expect(objectsAt(holdings, at)).toEqual(holdingAt(rows, isSingle, at, asOf))
        },
      ),
      { numRuns: runs(2_000) },
    )
  })

  // requirement: PART-9
  test('no interval is inverted, those of one object lie apart, and one object at a time has at most one open', () => {
    fc.assert(
      fc.property(history, fc.boolean(), (rows, isSingle) => {
        const holdings = derive(rows, isSingle, Number.POSITIVE_INFINITY)
        for (const { from, until, rows: of } of holdings) {
          expect(from).toBeLessThanOrEqual(until)
          expect(of.length).toBeGreaterThan(0)
        }
        const believed = holdings.filter((holding) => holding.isBelieved)
        for (const object of objects) {
          const own = believed.filter((holding) => holding.object === object).toSorted((a, b) => a.from - b.from)
          own.slice(1).forEach(({ from }, place) => expect(from).toBeGreaterThan(own[place]?.until ?? Number.POSITIVE_INFINITY))
        }
        if (isSingle) expect(believed.filter(({ until }) => until === Number.POSITIVE_INFINITY).length).toBeLessThanOrEqual(1)
        for (const at of isSingle ? moments : []) expect(objectsAt(holdings, at).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: runs(2_000) },
    )
  })

  // requirement: PART-10
  test('without a statement it is as if that had never been made, and the order in which they are read does not matter', () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.boolean(), fc.infiniteStream(fc.nat()), (rows, which, isSingle, order) => {
        const left = rows.filter((_, place) => place !== which % Math.max(1, rows.length))
        const shuffled = left
          .map((row) => ({ row, at: order.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ row }) => row)
        const told = (holdings: readonly Holding<Stated>[]) =>
          holdings
            .map(({ object, from, until, isBelieved, rows: of }) =>
              JSON.stringify([object, from, until, isBelieved, of.map(({ ord }) => ord)]),
            )
            .toSorted()
        expect(told(derive(shuffled, isSingle, 12))).toEqual(told(derive(left, isSingle, 12)))
        for (const { closedBy } of derive(left, isSingle, 12)) expect(closedBy === undefined || left.includes(closedBy)).toBe(true)
      }),
    )
  })
})

describe('one object at a time', () => {
  const day = 86_400_000
  const said = (ord: number, object_key: string, on: number, when: readonly [from: number, to: number] | null = null): Stated => ({
    ord,
    says: 0,
    object_key,
    instead_key: null,
    valid_from: when === null ? null : when[0] * day,
    valid_until: null,
    when_from: when === null ? null : when[0] * day,
    when_to: when === null ? null : when[1] * day,
    said_at: on * day,
    recorded_at: on * day,
    withdrawn_at: null,
    single: 1,
  })
  const told = (...rows: Stated[]): string[] =>
    derive(rows, true, Number.POSITIVE_INFINITY)
      .toSorted((a, b) => a.from - b.from || a.until - b.until)
      .map(({ object, from, until }) => `${object} ${from / day}-${until / day}`)

  test('who lives in one place and says later to have moved in that month has moved after what he said first', () => {
    expect(told(said(1, 'oslo', 19), said(2, 'rome', 33, [0, 31]))).toEqual(['oslo 19-31', 'rome 31-Infinity'])
    expect(told(said(1, 'oslo', 19), said(2, 'rome', 25, [0, 31]))).toEqual(['oslo 19-25', 'rome 25-Infinity'])
    expect(told(said(1, 'oslo', 19), said(2, 'rome', 33, [19, 20]))).toEqual(['oslo 19-20', 'rome 20-Infinity'])
  })

  test('who moved days before is not where it was thought then', () => {
    expect(told(said(1, 'oslo', 19), said(2, 'rome', 33, [17, 18]))).toEqual(['rome 17-Infinity', 'oslo 19-19'])
  })

  test('what began long before is told late: the present stays', () => {
    expect(told(said(1, 'oslo', 19), said(2, 'rome', 33, [-700, -699]))).toEqual(['rome -700-19', 'oslo 19-Infinity'])
    expect(told(said(1, 'oslo', 19, [18, 19]), said(2, 'rome', 33, [17, 18]))).toEqual(['rome 17-18', 'oslo 18-Infinity'])
  })

  const ended = (ord: number, object_key: string, on: number, at: number | null = null): Stated => ({
    ...said(ord, object_key, on),
    says: 1,
    valid_until: at === null ? null : at * day,
  })
  const toldSeveral = (...rows: Stated[]): string[] =>
    derive(
      rows.map((row) => ({ ...row, single: 0 })),
      false,
      Number.POSITIVE_INFINITY,
    )
      .toSorted((a, b) => a.from - b.from || a.object.localeCompare(b.object))
      .map(({ object, from, until }) => `${object} ${from / day}-${until / day}`)

  test('an end without a name is that of what held then, and of nothing that began long after', () => {
    expect(told(said(1, 'acme', 19), ended(2, '', 33))).toEqual(['acme 19-33'])
    expect(told(said(1, 'acme', 19), ended(2, '', 33, 18))).toEqual(['acme 19-19'])
    expect(told(said(1, 'acme', 19), ended(2, '', 33, -700))).toEqual(['acme 19-Infinity'])
    expect(told(said(1, 'acme', 19, [17, 18]), ended(2, '', 33, 10))).toEqual(['acme 17-Infinity'])
  })

  test('of several, an end without a name is that of the only one that held', () => {
    expect(toldSeveral(said(1, 'rex', 1), ended(2, '', 9))).toEqual(['rex 1-9'])
    expect(toldSeveral(said(1, 'rex', 1), said(2, 'ada', 2), ended(3, '', 9))).toEqual(['rex 1-Infinity', 'ada 2-Infinity'])
    expect(toldSeveral(said(1, 'rex', 1), said(2, 'ada', 2), ended(3, 'ada', 8), ended(4, '', 9))).toEqual(['rex 1-9', 'ada 2-8'])
  })

  test('an end by words of a name is that of the one which has them, unless another has that name', () => {
    expect(told(said(1, 'hapag-lloyd', 1), ended(2, 'hapag', 9))).toEqual(['hapag-lloyd 1-9'])
    expect(told(said(1, 'hapag', 1), said(2, 'hapag-lloyd', 5), ended(3, 'hapag', 9))).toEqual(['hapag 1-5', 'hapag-lloyd 5-Infinity'])
    expect(told(said(1, 'hapag-lloyd', 1), ended(2, 'lloyds', 9))).toEqual(['hapag-lloyd 1-Infinity'])
    expect(toldSeveral(said(1, 'green tea', 1), ended(2, 'tea', 9))).toEqual(['green tea 1-Infinity'])
  })

  test('what takes the place of a plan is over when that was', () => {
    const rows = [
      { ...said(1, 'rome', 1), valid_until: 5 * day },
      { ...said(2, 'milan', 2), instead_key: 'rome' },
    ]
    expect(
      derive(rows, false, Number.POSITIVE_INFINITY, true)
        .filter(({ isBelieved }) => isBelieved)
        .map(({ object, from, until }) => [object, from / day, until / day]),
    ).toEqual([['milan', 1, 5]])
  })

  test('where it is followed by a third, what was said last does not matter to the one before', () => {
    expect(told(said(1, 'bern', 10, [9, 10]), said(2, 'oslo', 19), said(3, 'rome', 33, [8, 9]))).toEqual([
      'rome 8-9',
      'bern 9-19',
      'oslo 19-Infinity',
    ])
  })
})
