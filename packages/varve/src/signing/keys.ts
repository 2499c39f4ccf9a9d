import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, KeyObject } from 'node:crypto'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'

/** The uses of a key. A signature for one use is none for another. */
export type Purpose = 'receipts' | 'export' | 'forget'

/** A store's key for one purpose, derived from the store's secret: HMAC-SHA-256. The secret itself signs nothing. */
export interface StoreSigningKey {
  readonly purpose: Purpose
  /** Names the store's key, and is the same for every purpose. */
  readonly keyId: string
  readonly secret: Uint8Array
}

/** A person's Ed25519 key. Without its private half it only verifies. */
export interface Ed25519Key {
  /** The first 8 bytes of the SHA-256 of the public key (SPKI, DER): hex. */
  readonly keyId: string
  readonly publicKey: KeyObject
  readonly privateKey?: KeyObject
}

/** The keys at hand for one purpose. */
export interface SigningKeys {
  readonly purpose: Purpose
  readonly store?: StoreSigningKey | undefined
  readonly ed25519?: readonly Ed25519Key[] | undefined
}

const keyBytes = 32
/** Bytes of a key's id. An id tells keys apart; it proves nothing. */
const idBytes = 8

/** Derives a store's key for a purpose from the store's secret (RFC 5869). */
export function storeSigningKey(secret: string, purpose: Purpose): StoreSigningKey {
  return {
    purpose,
    keyId: createHmac('sha256', secret).update('varve: the id of the store’s key').digest().subarray(0, idBytes).toString('hex'),
    secret: new Uint8Array(hkdfSync('sha256', secret, '', `varve: the store’s key for ${purpose}`, keyBytes)),
  }
}

/** Reads an Ed25519 key: PEM, private or public, or a KeyObject. `setting` names the option in InvalidConfiguration. */
export function ed25519Key(given: string | KeyObject, setting: string): Ed25519Key {
  const key = typeof given === 'string' ? parsed(given, setting) : given
  if (!(key instanceof KeyObject) || key.asymmetricKeyType !== 'ed25519' || key.type === 'secret')
    throw new InvalidConfiguration({ setting, reason: 'must be an Ed25519 key; `openssl genpkey -algorithm ed25519` makes one' })
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  const keyId = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, idBytes)
    .toString('hex')
  return { keyId, publicKey, ...(key.type === 'private' ? { privateKey: key } : {}) }
}

function parsed(pem: string, setting: string): KeyObject {
  try {
    return pem.includes('PRIVATE KEY') ? createPrivateKey(pem) : createPublicKey(pem)
  } catch (cause) {
    // The cause may quote the key.
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw new InvalidConfiguration({ setting, reason: `must be an Ed25519 key in PEM, without a passphrase${code}` })
  }
}
