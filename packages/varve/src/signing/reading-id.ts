import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/** A reading that was handed out: its row in the ledger, whose words it holds, and the hash of its request. */
export interface ReadingPlace {
  readonly row: number
  readonly partition: number
  /** The first bytes of the request's hash, in hex. */
  readonly hash: string
}

/** One block of the cipher: 5 bytes of the row, 4 of the partition, 7 of the hash. */
const block = 'aes-256-ecb'
const at = { row: 0, partition: 5, hash: 9 }
const rowBytes = 5
const hashBytes = 7
const wholeBlock = 16

/**
 * Seals the ids of readings: short, since a model copies them, and nothing can be read from them. One block is one
 * permutation of 16 bytes, so no mode is needed. A forged id holds a right partition once in 4 billion tries, and then
 * still needs the hash.
 */
export class ReadingSeal {
  readonly #key: Uint8Array
  readonly #hashKey: Uint8Array

  /** `secret`: the store's. */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('varve: ids of readings').digest()
    this.#hashKey = createHmac('sha256', secret).update('varve: requests of readings').digest()
  }

  /** Hashes the parts of a request. Whoever lacks the store's secret cannot guess words by it. */
  hash(parts: readonly string[]): string {
    return createHmac('sha256', this.#hashKey).update(JSON.stringify(parts)).digest().toString('hex', 0, hashBytes)
  }

  sealed({ row, partition, hash }: ReadingPlace): string {
    const plain = Buffer.alloc(wholeBlock)
    plain.writeUIntBE(row, at.row, rowBytes)
    plain.writeUInt32BE(partition, at.partition)
    plain.write(hash, at.hash, 'hex')
    const cipher = createCipheriv(block, this.#key, null).setAutoPadding(false)
    return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64url')
  }

  /** Returns the place of an id; undefined for what cannot be one. Any other text opens to a place that no reading has. */
  opened(id: string): ReadingPlace | undefined {
    const bytes = Buffer.from(id, 'base64url')
    if (bytes.length !== wholeBlock || bytes.toString('base64url') !== id) return undefined
    const cipher = createDecipheriv(block, this.#key, null).setAutoPadding(false)
    const plain = Buffer.concat([cipher.update(bytes), cipher.final()])
    return {
      row: plain.readUIntBE(at.row, rowBytes),
      partition: plain.readUInt32BE(at.partition),
      hash: plain.toString('hex', at.hash, wholeBlock),
    }
  }
}
