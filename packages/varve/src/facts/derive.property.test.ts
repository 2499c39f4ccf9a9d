import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdingAt } from '../../../../test/fixtures/facts/oracle.ts'
import { derive, type Holding, type Stated } from './derive.ts'

const objects = ['oslo', 'rome', 'bern'] as const
const time = fc.integer({ min: 0, max: 20 })
const maybe = (rate: number, value: fc.Arbitrary<number>): fc.Arbitrary<number | null> => fc.option(value, { freq: rate, nil: null })

const stated: fc.Arbitrary<Omit<Stated, 'ord'>> = fc.record({
  says: fc.constantFrom(0, 0, 0, 0, 1, 2), object_key: fc.constantFrom(...objects), instead_key: fc.option(fc.constantFrom(...objects), { freq: 2, nil: null }),
  valid_from: maybe(3, time), valid_until: maybe(2, time), said_at: time, recorded_at: time, withdrawn_at: maybe(1, time), single: fc.constantFrom(0, 0, 0, 1),
}).map((row) => ({
  ...row, instead_key: row.says === 0 ? row.instead_key : null, withdrawn_at: row.withdrawn_at === null ? null : Math.max(row.withdrawn_at, row.recorded_at + 1),
}))

const history = fc.array(stated, { maxLength: 12 }).map((rows): Stated[] => rows.map((row, place) => ({ ...row, ord: place + 1 })))

const objectsAt = (holdings: readonly Holding<Stated>[], at: number): string[] =>
  [...new Set(holdings.filter(({ isBelieved, from, until }) => isBelieved && from <= at && at < until).map(({ object }) => object))].toSorted()

const moments = [-1, ...Array.from({ length: 23 }, (_, at) => at), 1_000]

describe('what holds when', () => {
  test('is what the definition says, for any statements in any order of times, as of any time', () => {
    fc.assert(fc.property(history, fc.constantFrom(true, false, undefined), fc.constantFrom(5, 10, 15, Number.POSITIVE_INFINITY), (rows, isSingle, asOf) => {
      const holdings = derive(rows, isSingle, asOf)
      for (const at of moments) expect(objectsAt(holdings, at)).toEqual(holdingAt(rows, isSingle, at, asOf))
    }), { numRuns: 2_000 })
  })

  test('no interval is inverted, those of one object lie apart, and one object at a time has at most one open', () => {
    fc.assert(fc.property(history, fc.boolean(), (rows, isSingle) => {
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
    }), { numRuns: 2_000 })
  })

  test('without a statement it is as if that had never been made, and the order in which they are read does not matter', () => {
    fc.assert(fc.property(history, fc.nat(), fc.boolean(), fc.infiniteStream(fc.nat()), (rows, which, isSingle, order) => {
      const left = rows.filter((_, place) => place !== which % Math.max(1, rows.length))
      const shuffled = left.map((row) => ({ row, at: order.next().value ?? 0 })).toSorted((a, b) => a.at - b.at).map(({ row }) => row)
      const told = (holdings: readonly Holding<Stated>[]) => holdings.map(({ object, from, until, isBelieved, rows: of }) => JSON.stringify([object, from, until, isBelieved, of.map(({ ord }) => ord)])).toSorted()
      expect(told(derive(shuffled, isSingle, 12))).toEqual(told(derive(left, isSingle, 12)))
      for (const { closedBy } of derive(left, isSingle, 12)) expect(closedBy === undefined || left.includes(closedBy)).toBe(true)
    }))
  })
})
