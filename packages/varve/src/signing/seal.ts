import { createHash, hash } from 'node:crypto'
import type { Signature, SignedBy } from './signatures.ts'

// A document of lines has a seal after each block of lines, itself a line. A seal holds a short tag of each line, by which
// a reader names a changed line, and a chain: the hash of the block's lines and of every block before it. The chain is
// signed. Tags cost 8 characters a line (decision 26).

/** Lines of a full block: a reader holds the hashes of two. */
export const linesPerSeal = 1_000

export interface Seal {
  /** Its number: 1 for the first. */
  readonly seal: number
  /** Lines of its block. */
  readonly lines: number
  /** True for the last seal of the document. */
  readonly end: boolean
  /** A tag of each line, in order. */
  readonly tags: string
  readonly chain: string
  readonly signatures: readonly Signature[]
  readonly is: 'seal'
}

const tagBytes = 6
/** Characters of a tag in base64url. */
export const tagLength = 8

export function lineHash(line: string | Uint8Array): Buffer {
  return hash('sha256', line, 'buffer')
}

export function tagOf(whole: Buffer): string {
  return whole.toString('base64url', 0, tagBytes)
}

/** Gives the chain after a block. `before` is the chain of the block before it, empty for the first. */
export function chainAfter(before: Uint8Array, { seal, end }: Pick<Seal, 'seal' | 'end'>, hashes: readonly Buffer[]): Buffer {
  const digest = createHash('sha256').update(`varve lines 1\0${seal}\0${hashes.length}\0${end}\0`).update(before)
  for (const one of hashes) digest.update(one)
  return digest.digest()
}

/** Gives what a seal's signatures are of: its chain, and who signs. So a seal that lost a signature is not verified by the others. */
export function signedBySeal(chain: Uint8Array, signers: readonly SignedBy[]): Uint8Array {
  return Buffer.concat([chain, Buffer.from(JSON.stringify(signers.map(({ by, keyId }) => [by, keyId])))])
}

export function sealText({ seal, lines, end, tags, chain, signatures }: Seal): string {
  const written = signatures.map(({ by, keyId, value }) => ({ by, keyId, value }))
  return JSON.stringify({ seal, lines, end, tags, chain, signatures: written, is: 'seal' })
}

const begins = Buffer.from('{"seal":')
const ends = Buffer.from(',"is":"seal"}')

/** Tells a seal by its beginning or its end: one changed byte does not turn a seal into another line. */
export function looksLikeSeal(line: string | Uint8Array): boolean {
  if (typeof line === 'string') return line.startsWith(begins.toString()) || line.endsWith(ends.toString())
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.length)
  return bytes.subarray(0, begins.length).equals(begins) || bytes.subarray(-ends.length).equals(ends)
}

const signaturePattern = /\{"by":"(store|ed25519)","keyId":"([0-9a-f]{16})","value":"([\w-]{20,100})"\}/g
const sealPattern = new RegExp(
  String.raw`^\{"seal":([1-9]\d{0,14}),"lines":(\d{1,15}),"end":(true|false),"tags":"([\w-]*)","chain":"([\w-]{43})",` +
    String.raw`"signatures":\[(.{0,2000})\],"is":"seal"\}$`,
)

/** Reads a seal. Returns undefined unless it is written exactly as sealText() writes it. */
export function sealOf(line: string | Uint8Array): Seal | undefined {
  const text = typeof line === 'string' ? line : Buffer.from(line.buffer, line.byteOffset, line.length).toString()
  const [, number, lines, end, tags = '', chain = '', signed = ''] = sealPattern.exec(text) ?? []
  const signatures = [...signed.matchAll(signaturePattern)].map(([, by, keyId = '', value = '']): Signature => ({
    by: by === 'store' ? 'store' : 'ed25519',
    keyId,
    value,
  }))
  const seal: Seal = { seal: Number(number), lines: Number(lines), end: end === 'true', tags, chain, signatures, is: 'seal' }
  return sealText(seal) === text ? seal : undefined
}
