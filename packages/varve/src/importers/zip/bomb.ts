import { ImportFailed } from '../../errors/import-failed.ts'

/** The limits of an unpacked zip: JSON of talk shrinks to a tenth or so, and only made-up files to a thousandth. */
export interface ZipLimits {
  readonly maxUnpackedBytes: number
  readonly maxRatio: number
  /** Up to this size the ratio does not count. */
  readonly freeBytes: number
}

export const zipLimits: ZipLimits = { maxUnpackedBytes: 16 * 1024 ** 3, maxRatio: 200, freeBytes: 8 * 1024 ** 2 }

/** Compares a zip's unpacked bytes with its packed ones. Throws ImportFailed when the zip cannot be an export. */
export class BombGuard {
  readonly #file: string
  readonly #limits: ZipLimits
  #packed = 0
  #unpacked = 0

  constructor(file: string, limits: ZipLimits) {
    this.#file = file
    this.#limits = limits
  }

  /** Looks at the sizes that a directory claims. A directory that lies is found out as its entries are unpacked. */
  claimed(entries: readonly { readonly compressedBytes: number; readonly unpackedBytes: number }[]): void {
    this.#check(
      entries.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0),
      entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0),
    )
  }

  packed(bytes: number): void {
    this.#packed += bytes
  }

  unpacked(bytes: number): void {
    this.#unpacked += bytes
    this.#check(this.#packed, this.#unpacked)
  }

  #check(packed: number, unpacked: number): void {
    const { maxUnpackedBytes, maxRatio, freeBytes } = this.#limits
    const tooMuch = unpacked > maxUnpackedBytes
    const tooDense = unpacked > freeBytes && unpacked > maxRatio * packed
    if (!tooMuch && !tooDense) return
    const limit = tooMuch ? `${maxUnpackedBytes} bytes` : `${maxRatio} times its size`
    throw new ImportFailed({
      file: this.#file,
      reason: `it unpacks to more than ${limit}, as a zip bomb does. If it is a real export, unzip it and import its conversations.json.`,
    })
  }
}
