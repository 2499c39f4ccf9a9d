import type { SigningKeys } from './keys.ts'
import { linesPerSeal, chainAfter, lineHash, looksLikeSeal, type Seal, sealOf, signedBySeal, tagLength, tagOf } from './seal.ts'
import { checkSignatures, type SignedBy } from './signatures.ts'

/**
 * The fault of a line. `seal`: the line is a broken seal. `signature`: the seal's signature is wrong; the seal or any
 * line of its block was changed. `cut`: the document ends too early.
 */
export type LineFaultReason = 'changed' | 'missing' | 'inserted' | 'moved' | 'seal' | 'signature' | 'cut'

/** The first line that is not as it was signed. */
export interface LineFault {
  /** Its number in the document, seals counted: 1 for the first. For a missing line, the line in its place. */
  readonly line: number
  readonly reason: LineFaultReason
}

/** The result of a check. `unknown`: whole, and signed by keys that are not at hand. */
export type CheckedLines =
  | { readonly state: 'verified' | 'unknown'; readonly by: readonly SignedBy[] }
  | { readonly state: 'unsigned' }
  | { readonly state: 'failed'; readonly fault: LineFault }

/**
 * Checks a document that a LineChain sealed, line by line, in bounded memory. Give it the bytes of each line as they
 * stand in the file: decoded text may hide a broken byte. Trust no line before `end()`.
 */
export class LineCheck {
  readonly #keys: SigningKeys
  #chain: Uint8Array = new Uint8Array()
  #hashes: Buffer[] = []
  #seals = 0
  #lines = 0
  #hasEnded = false
  #fault: LineFault | undefined
  #signed: CheckedLines = { state: 'unsigned' }

  constructor(keys: SigningKeys) {
    this.#keys = keys
  }

  /** The first line that is wrong, once it is known. */
  get fault(): LineFault | undefined {
    return this.#fault
  }

  /** The number of the line that was added last. */
  get line(): number {
    return this.#lines
  }

  /** Adds a line, and tells whether it is one of the document or a seal. */
  add(line: string | Uint8Array): 'line' | 'seal' {
    this.#lines += 1
    const is = looksLikeSeal(line) ? 'seal' : 'line'
    if (this.#fault === undefined) this.#fault = this.#check(line, is)
    return is
  }

  /** Ends the document. */
  end(): CheckedLines {
    if (this.#fault === undefined && !this.#hasEnded) this.#fault = { line: this.#lines + 1, reason: 'cut' }
    return this.#fault === undefined ? this.#signed : { state: 'failed', fault: this.#fault }
  }

  #check(line: string | Uint8Array, is: 'line' | 'seal'): LineFault | undefined {
    if (this.#hasEnded) return { line: this.#lines, reason: 'inserted' }
    // A full block is over, and another: no seal can name a line that was inserted into the first one.
    if (is === 'line' && this.#hashes.length === 2 * linesPerSeal) return { line: this.#lines - linesPerSeal, reason: 'inserted' }
    if (is === 'seal') return this.#checkSeal(sealOf(line))
    this.#hashes.push(lineHash(line))
    return undefined
  }

  #checkSeal(seal: Seal | undefined): LineFault | undefined {
    const broken = { line: this.#lines, reason: 'seal' } as const
    if (seal === undefined || seal.lines > linesPerSeal || seal.tags.length !== seal.lines * tagLength) return broken
    const [hashes, number, tags] = [this.#hashes, this.#seals + 1, this.#hashes.map(tagOf)]
    const chain = chainAfter(this.#chain, { seal: number, end: seal.end }, hashes)
    const signed = checkSignatures(this.#keys, signedBySeal(chain, seal.signatures), seal.signatures)
    const isRight = chain.toString('base64url') === seal.chain
    // Where the chain or its signature is right, the lines are: the seal alone may be wrong.
    if (isRight || signed.state === 'verified') {
      if (!isRight || seal.seal !== number || seal.tags !== tags.join('')) return broken
      if (signed.state === 'failed') return { line: this.#lines, reason: 'signature' }
      this.#signed = signed
    } else {
      const first = this.#lines - hashes.length
      // The seal of a full block is missing.
      if (hashes.length > linesPerSeal && seal.seal !== number) return { line: first + linesPerSeal, reason: 'inserted' }
      return faultAmong(tags, seal, first, number) ?? broken
    }
    this.#chain = chain
    this.#hashes = []
    this.#seals = number
    this.#hasEnded = seal.end
    return undefined
  }
}

/** Names the first line of a block that is not as its seal says. `first` is the number of the block's first line. */
function faultAmong(is: readonly string[], { seal, tags }: Seal, first: number, number: number): LineFault | undefined {
  const was = tags.match(/.{8}/g) ?? []
  const at = is.findIndex((tag, place) => tag !== was[place])
  const place = at < 0 ? is.length : at
  // All lines of the block are there: a block before it is missing, or the seal is wrong.
  if (at < 0 && is.length === was.length) return seal === number ? undefined : { line: first, reason: 'missing' }
  return { line: first + place, reason: reasonAt(is.slice(place), was.slice(place)) }
}

/** Compares the tags of the lines that are there with those that were, from the first that differs. */
function reasonAt(is: readonly string[], was: readonly string[]): LineFaultReason {
  const [here, before] = [is[0], was[0]]
  const endsWith = (long: readonly string[], short: readonly string[]): boolean =>
    long.length > short.length && short.every((tag, place) => tag === long[long.length - short.length + place])
  if (here === undefined || endsWith(was, is)) return 'missing'
  if (before === undefined || endsWith(is, was)) return 'inserted'
  return is.length === was.length && is.includes(before) && was.includes(here) ? 'moved' : 'changed'
}
