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

/** The length of a sealed place: base64url of a block. */
export const placeLength = 22

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
    return this.#sealed(place, new Uint8Array(2))
  }

  /** Seals the place of now: another text each time, or an unchanged one would tell that nobody wrote anything. */
  ofNow(place: JournalPlace): string {
    return this.#sealed(place, randomBytes(2))
  }

  /** Returns the place of a sealed text; undefined for one that this store did not seal. */
  opened(sealed: string): JournalPlace | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length !== wholeBlock) return undefined
    const cipher = createDecipheriv(block, this.#key, null).setAutoPadding(false)
    const plain = Buffer.concat([cipher.update(bytes), cipher.final()])
    if (plain[at.mark] !== mark) return undefined
    return { id: plain.readUIntBE(at.id, idBytes), project: plain.readUInt32BE(at.project), partition: plain.readUInt32BE(at.partition) }
  }

  #sealed({ id, project, partition }: JournalPlace, noise: Uint8Array): string {
    const plain = Buffer.alloc(wholeBlock)
    plain.writeUIntBE(id, at.id, idBytes)
    plain.writeUInt32BE(project, at.project)
    plain.writeUInt32BE(partition, at.partition)
    plain[at.mark] = mark
    plain.set(noise, at.noise)
    const cipher = createCipheriv(block, this.#key, null).setAutoPadding(false)
    return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64url')
  }
}
