import { expect, test } from 'vitest'
import { readerOf } from './types.ts'

const read = (oid: number, text: string): unknown => readerOf(oid)(text)

test.each([
  ['bool', 16, 't', 1],
  ['bool', 16, 'f', 0],
  ['int8', 20, '-9007199254740991', Number.MIN_SAFE_INTEGER],
  ['int8', 20, '9007199254740991', Number.MAX_SAFE_INTEGER],
  ['int2', 21, '-7', -7],
  ['int4', 23, '2147483647', 2_147_483_647],
  ['float8', 701, '0.1', 0.1],
  ['float8', 701, '-1.5e-300', -1.5e-300],
  ['float8', 701, 'Infinity', Number.POSITIVE_INFINITY],
  ['text', 25, '0012', '0012'],
  ['a type that no table has', 1_184, '2026-01-05 09:00:00+00', '2026-01-05 09:00:00+00'],
])('%s (%i): %s', (_, oid, text, value) => {
  expect(read(oid, text)).toBe(value)
})

test('bytes come back as they are, none of them too', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  expect(read(17, `\\x${Buffer.from(all).toString('hex')}`)).toEqual(Buffer.from(all))
  expect(read(17, '\\x')).toHaveLength(0)
})

test.each(['9007199254740992', '-9007199254740992', '9223372036854775807'])(
  'a bigint that JavaScript cannot hold is an error, not another number: %s',
  (text) => expect(() => read(20, text)).toThrow(RangeError),
)
