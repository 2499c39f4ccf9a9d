import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** A place in a store's journal: the row, and whose view it is. */
export interface JournalPlace {
  readonly id: number
  readonly project: number
  readonly partition: number
}

/** One block of the cipher: 5 bytes of the row, 4 of the project, 4 of the partition, a mark, and 2 that are random or 0. */
const block = 'aes-256-ecb'
const mark = 0x76
const at = { id: 0, project: 5, partition: 9, mark: 13, noise: 14 }
const idBytes = 5
const wholeBlock = 16

/**
 * A row's number on a server has over 5 bytes, and takes two blocks: 7 bytes of the row, a mark and 8 bytes; 4 of the
 * project, 4 of the partition and the same 8 bytes, by which blocks of two places do not fit together.
 */
const long = { least: 2 ** (8 * idBytes), idHigh: 0, idLow: 3, mark: 7, noise: 8, project: 16, partition: 20, again: 24, bytes: 32 }
const noiseBytes = 8

/** The lengths of sealed places, least and most: base64url of one block, and of two. */
export const placeLengths = [22, 43] as const

/**
 * Seals places, so that a reader learns from two of them nothing about the rows between: those of other projects count
 * too. One block is one permutation of 16 bytes, so no mode is needed.
 */
export class PlaceSeal {
  readonly #key: Uint8Array

  /** `secret`: the store's. */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('varve: places in the journal').digest()
  }

  /** Seals the place of a row: the same text each time. */
  ofRow(place: JournalPlace): string {
    return this.#sealed(place, isLong(place) ? this.#ownNoise(place) : new Uint8Array(2))
  }

  /** Seals the place of now: another text each time, or an unchanged one would tell that nobody wrote anything. */
  ofNow(place: JournalPlace): string {
    return this.#sealed(place, randomBytes(isLong(place) ? noiseBytes : 2))
  }

  /** Returns the place of a sealed text; undefined for one that this store did not seal. */
  opened(sealed: string): JournalPlace | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length !== wholeBlock && bytes.length !== long.bytes) return undefined
    const cipher = createDecipheriv(block, this.#key, null).setAutoPadding(false)
    const plain = Buffer.concat([cipher.update(bytes), cipher.final()])
    if (plain.length === long.bytes) return longPlaceIn(plain)
    if (plain[at.mark] !== mark) return undefined
    return { id: plain.readUIntBE(at.id, idBytes), project: plain.readUInt32BE(at.project), partition: plain.readUInt32BE(at.partition) }
  }

  /** Bytes that are the same for the same place, and tell nothing of it. */
  #ownNoise({ id, project, partition }: JournalPlace): Uint8Array {
    return createHmac('sha256', this.#key).update(`${id} ${project} ${partition}`).digest().subarray(0, noiseBytes)
  }

  #sealed(place: JournalPlace, noise: Uint8Array): string {
    const plain = isLong(place) ? longPlain(place, noise) : shortPlain(place, noise)
    const cipher = createCipheriv(block, this.#key, null).setAutoPadding(false)
    return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64url')
  }
}

function isLong({ id }: JournalPlace): boolean {
  return id >= long.least
}

function shortPlain({ id, project, partition }: JournalPlace, noise: Uint8Array): Buffer {
  const plain = Buffer.alloc(wholeBlock)
  plain.writeUIntBE(id, at.id, idBytes)
  plain.writeUInt32BE(project, at.project)
  plain.writeUInt32BE(partition, at.partition)
  plain[at.mark] = mark
  plain.set(noise, at.noise)
  return plain
}

function longPlain({ id, project, partition }: JournalPlace, noise: Uint8Array): Buffer {
  const plain = Buffer.alloc(long.bytes)
  plain.writeUIntBE(Math.floor(id / 2 ** 32), long.idHigh, 3)
  plain.writeUInt32BE(id % 2 ** 32, long.idLow)
  plain.writeUInt32BE(project, long.project)
  plain.writeUInt32BE(partition, long.partition)
  plain[long.mark] = mark
  plain.set(noise, long.noise)
  plain.set(noise, long.again)
  return plain
}

function longPlaceIn(plain: Buffer): JournalPlace | undefined {
  const [noise, again] = [plain.subarray(long.noise, long.noise + noiseBytes), plain.subarray(long.again)]
  if (plain[long.mark] !== mark || !noise.equals(again)) return undefined
  return {
    id: plain.readUIntBE(long.idHigh, 3) * 2 ** 32 + plain.readUInt32BE(long.idLow),
    project: plain.readUInt32BE(long.project),
    partition: plain.readUInt32BE(long.partition),
  }
}
