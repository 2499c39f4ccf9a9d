import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ColumnKind } from './moving.ts'
import { firstNumber, InexactNumber, packRow, type PackedValue, unpackRow } from './packed-row.ts'

const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value))

const column: fc.Arbitrary<readonly [ColumnKind, PackedValue]> = fc.oneof(
  fc.tuple(fc.constant<ColumnKind>('whole'), fc.option(fc.maxSafeInteger())),
  fc.tuple(fc.constant<ColumnKind>('real'), fc.option(fc.double())),
  fc.tuple(fc.constant<ColumnKind>('text'), fc.option(bytes)),
  fc.tuple(fc.constant<ColumnKind>('bytes'), fc.option(bytes)),
)

test('what was packed is unpacked bit for bit', () => {
  fc.assert(
    fc.property(fc.array(column, { maxLength: 12 }), (columns) => {
      const kinds = columns.map(([kind]) => kind)
      const values = columns.map(([, value]) => value)
      expect(unpackRow(packRow(values, kinds), kinds)).toEqual(values)
    }),
  )
})

test('a whole number stands in a row as PostgreSQL writes it', () => {
  for (const value of [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 40 + 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    const row = packRow([value], ['whole'])
    expect(row.readBigInt64BE(6)).toBe(BigInt(value))
    expect(firstNumber(row)).toBe(value)
  }
})

test('a number that JavaScript does not hold exactly is refused', () => {
  expect(() => packRow([2 ** 53], ['whole'])).toThrow(InexactNumber)
  const row = packRow([1], ['whole'])
  row.writeBigInt64BE(2n ** 60n + 1n, 6)
  expect(() => unpackRow(row, ['whole'])).toThrow(InexactNumber)
})
