import { ImportFailed } from '../../errors/import-failed.ts'

/** The limits of an unpacked zip: JSON of talk shrinks to a tenth or so, and only made-up files to a thousandth. */
export interface ZipLimits {
  readonly maxUnpackedBytes: number
  readonly maxRatio: number
  /** Up to this size the ratio does not count. */
  readonly freeBytes: number
}

export const zipLimits: ZipLimits = { maxUnpackedBytes: 16 * 1024 ** 3, maxRatio: 200, freeBytes: 64 * 1024 ** 2 }

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

  packed(bytes: number): void {
    this.#packed += bytes
  }

  unpacked(bytes: number): void {
    const { maxUnpackedBytes, maxRatio, freeBytes } = this.#limits
    this.#unpacked += bytes
    const tooMuch = this.#unpacked > maxUnpackedBytes
    const tooDense = this.#unpacked > freeBytes && this.#unpacked > maxRatio * this.#packed
    if (!tooMuch && !tooDense) return
    const limit = tooMuch ? `${maxUnpackedBytes} bytes` : `${maxRatio} times its size`
    throw new ImportFailed({
      file: this.#file,
      reason: `it unpacks to more than ${limit}, as a zip bomb does. If it is a real export, unzip it and import its conversations.json.`,
    })
  }
}
