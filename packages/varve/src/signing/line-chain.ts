import type { SigningKeys } from './keys.ts'
import { linesPerSeal, chainAfter, lineHash, sealText, signedBySeal, tagOf } from './seal.ts'
import { signaturesOf, signersOf } from './signatures.ts'

/**
 * Signs a document line by line, in bounded memory. The lines are signed as they are written, without their line ends.
 * No line of the document may begin or end like a seal.
 *
 * @example
 * for (const line of lines) write(line, ...chain.add(line)); write(...chain.end())
 */
export class LineChain {
  readonly #keys: SigningKeys
  #chain: Uint8Array = new Uint8Array()
  #hashes: Buffer[] = []
  #seals = 0

  constructor(keys: SigningKeys) {
    this.#keys = keys
  }

  /** Adds a line. Returns the lines to write after it: the seal of a full block, or none. */
  add(line: string | Uint8Array): readonly string[] {
    this.#hashes.push(lineHash(line))
    return this.#hashes.length < linesPerSeal ? [] : this.#seal(false)
  }

  /** Ends the document. Returns the lines to write at its end. */
  end(): readonly string[] {
    return this.#seal(true)
  }

  #seal(end: boolean): readonly string[] {
    const [hashes, seal] = [this.#hashes, this.#seals + 1]
    const chain = chainAfter(this.#chain, { seal, end }, hashes)
    this.#chain = chain
    this.#hashes = []
    this.#seals = seal
    const tags = hashes.map(tagOf).join('')
    const signatures = signaturesOf(this.#keys, signedBySeal(chain, signersOf(this.#keys)))
    return [sealText({ seal, lines: hashes.length, end, tags, chain: chain.toString('base64url'), signatures, is: 'seal' })]
  }
}
