import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'

/** The beginning of every key: scanners for secrets find a key in a file by it. */
export const keyPrefix = 'varve_'

/** The random bytes of a key's secret. */
const secretBytes = 32

/** `varve_`, the key's id without dashes, and its secret in base64url. */
const form = /^varve_([0-9a-f]{32})_([\w-]{43})$/

/** The length of every key. */
const keyLength = keyPrefix.length + 32 + 1 + 43

/** Makes the text of a key with a new secret. */
export function newKeyText(id: string): string {
  return `${keyPrefix}${Buffer.from(parse(id)).toString('hex')}_${randomBytes(secretBytes).toString('base64url')}`
}

/** Gives the id in the text of a key; undefined for anything else. Never throws. */
export function idInKey(received: unknown): string | undefined {
  if (typeof received !== 'string' || received.length !== keyLength) return undefined
  const [, id = '', secret = ''] = form.exec(received) ?? []
  // The last character of 32 bytes in base64url holds two bits that no byte has: another text would mean the same secret.
  if (id === '' || Buffer.from(secret, 'base64url').toString('base64url') !== secret) return undefined
  return uuidOf(id)
}

function uuidOf(hex: string): string | undefined {
  try {
    return stringify(Buffer.from(hex, 'hex'))
  } catch (error) {
    // 128 bits that are no uuid of any version.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Hashes a key for the store: SHA-256 of its whole text. The secret has 256 random bits, so no salt is needed. */
export function keyDigest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer')
}

/** Compares two digests. The time tells nothing of the place where they differ. */
export function sameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
