/** The types of PostgreSQL that the tables use, by their numbers (pg_type.oid). */
const oid = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float8: 701 } as const

type Reader = (text: string) => unknown

/** A bigint that no JavaScript number holds is a defect of the data: better an error than another number. */
function whole(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a number of the store is over 2^53')
  return value
}

/** A bytea comes as \x and its digits. */
function bytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex')
}

const readers = new Map<number, Reader>([
  [oid.bool, (text) => (text === 't' ? 1 : 0)],
  [oid.bytea, bytes],
  [oid.int8, whole],
  [oid.int2, Number],
  [oid.int4, Number],
  [oid.float8, Number],
])

const asText: Reader = (text) => text

/** Gives the reader of a type: numbers as numbers, bytes as bytes, everything else as text. */
export function readerOf(type: number): Reader {
  return readers.get(type) ?? asText
}

/** The same for the driver's own queries. */
export const types = { getTypeParser: readerOf }
