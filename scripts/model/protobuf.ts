/** The fields of a message, written one after another. */
export type Message = readonly Buffer[]

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? low + 128 : low)
  } while (rest > 0)
  return Buffer.from(bytes)
}

const minusOne = Buffer.from('ffffffffffffffffff01', 'hex')

/** Writes a whole number; the only negative one allowed is -1. */
export function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), value === -1 ? minusOne : varint(value)])
}

export function float(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint(field * 8 + 5), bytes])
}

/** Writes text, bytes, or a message within the message. */
export function bytes(field: number, value: string | Uint8Array | Message): Buffer {
  const content = typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : Buffer.concat(value)
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}
