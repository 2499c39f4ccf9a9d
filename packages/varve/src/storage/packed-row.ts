import type { ColumnKind } from './moving.ts'

/** A value of a packed row: a number, or the bytes of a text or of bytes. */
export type PackedValue = number | Uint8Array | null

/** A number of a row that no JavaScript number holds exactly. */
export class InexactNumber extends RangeError {}

const countBytes = 2
const lengthBytes = 4
const numberBytes = 8
const isNull = -1

/**
 * Packs a row: the number of its values (16 bits), then the length (32 bits, -1 for null) and the bytes of each value,
 * highest byte first. This is a row of PostgreSQL's binary COPY format, so that rows go in and come out as they are
 * (postgresql.org/docs/current/sql-copy.html).
 */
export function packRow(values: readonly PackedValue[], kinds: readonly ColumnKind[]): Buffer {
  let size = countBytes + lengthBytes * values.length
  for (const value of values) size += typeof value === 'number' ? numberBytes : (value?.length ?? 0)
  const row = Buffer.allocUnsafe(size)
  let at = row.writeInt16BE(values.length, 0)
  for (const [place, value] of values.entries()) {
    if (value === null) at = row.writeInt32BE(isNull, at)
    else if (typeof value === 'number') at = writeNumber(row, row.writeInt32BE(numberBytes, at), value, kinds[place])
    else {
      at = row.writeInt32BE(value.length, at)
      row.set(value, at)
      at += value.length
    }
  }
  return row
}

const highUnit = 2 ** 32

function writeNumber(row: Buffer, at: number, value: number, kind: ColumnKind | undefined): number {
  if (kind === 'real') return row.writeDoubleBE(value, at)
  if (!Number.isSafeInteger(value)) throw new InexactNumber('a number is over 2^53')
  // Two halves: a BigInt takes ten times as long.
  row.writeInt32BE(Math.floor(value / highUnit), at)
  return row.writeUInt32BE(value >>> 0, at + 4)
}

/** Gives the values of a packed row. Bytes are parts of the row, not copies. */
export function unpackRow(row: Buffer, kinds: readonly ColumnKind[]): PackedValue[] {
  let at = countBytes
  return kinds.map((kind) => {
    const length = row.readInt32BE(at)
    at += lengthBytes
    if (length === isNull) return null
    const begin = at
    at += length
    if (kind === 'real') return row.readDoubleBE(begin)
    return kind === 'whole' ? wholeAt(row, begin) : row.subarray(begin, at)
  })
}

/** Gives a whole number that stands first in a row: the number of its partition. */
export function firstNumber(row: Buffer): number {
  return wholeAt(row, countBytes + lengthBytes)
}

function wholeAt(row: Buffer, at: number): number {
  const value = row.readInt32BE(at) * highUnit + row.readUInt32BE(at + 4)
  if (!Number.isSafeInteger(value)) throw new InexactNumber('a number is over 2^53')
  return value
}
