import { createHmac, sign, timingSafeEqual, verify } from 'node:crypto'
import type { Ed25519Key, SigningKeys, StoreSigningKey } from './keys.ts'

/** The key that made a signature. */
export interface SignedBy {
  readonly by: 'store' | 'ed25519'
  readonly keyId: string
}

export interface Signature extends SignedBy {
  /** base64url */
  readonly value: string
}

/** The result of a check with the keys at hand. */
export type SignatureCheck =
  /** Every signature of a key at hand is right, and there is one at least. */
  | { readonly state: 'verified'; readonly by: readonly SignedBy[] }
  /** A signature of a key at hand is wrong: the content, or the signature, was changed. */
  | { readonly state: 'failed'; readonly by: SignedBy }
  /** Signed by keys that are not at hand. */
  | { readonly state: 'unknown'; readonly by: readonly SignedBy[] }
  | { readonly state: 'unsigned' }

/** Lists the keys at hand that can sign, in the order of their signatures. */
export function signersOf({ store, ed25519 = [] }: SigningKeys): readonly SignedBy[] {
  return [
    ...(store === undefined ? [] : [{ by: 'store' as const, keyId: store.keyId }]),
    ...ed25519.flatMap(({ keyId, privateKey }) => (privateKey === undefined ? [] : { by: 'ed25519' as const, keyId })),
  ]
}

/** Signs content with every key at hand that can sign. */
export function signaturesOf(keys: SigningKeys, content: Uint8Array): readonly Signature[] {
  const bytes = labelled(keys, content)
  return [
    ...(keys.store === undefined ? [] : [{ by: 'store' as const, keyId: keys.store.keyId, value: mac(keys.store, bytes) }]),
    ...(keys.ed25519 ?? []).flatMap(({ keyId, privateKey }) =>
      privateKey === undefined ? [] : { by: 'ed25519' as const, keyId, value: sign(null, bytes, privateKey).toString('base64url') },
    ),
  ]
}

/** Checks signatures of content with the keys at hand. Signatures of other keys count for nothing. */
export function checkSignatures(keys: SigningKeys, content: Uint8Array, signatures: readonly Signature[]): SignatureCheck {
  if (signatures.length === 0) return { state: 'unsigned' }
  const bytes = labelled(keys, content)
  const right: SignedBy[] = []
  for (const signature of signatures) {
    const { by, keyId } = signature
    const isRight = isRightOf(keys, bytes, signature)
    if (isRight === false) return { state: 'failed', by: { by, keyId } }
    if (isRight === true) right.push({ by, keyId })
  }
  return right.length > 0 ? { state: 'verified', by: right } : { state: 'unknown', by: signatures.map(({ by, keyId }) => ({ by, keyId })) }
}

/** Tells whether a signature is right; undefined when its key is not at hand. */
function isRightOf({ store, ed25519 = [] }: SigningKeys, bytes: Uint8Array, { by, keyId, value }: Signature): boolean | undefined {
  if (by === 'store') return store?.keyId === keyId ? isSame(mac(store, bytes), value) : undefined
  const key = ed25519.find((one) => one.keyId === keyId)
  return key === undefined ? undefined : isSignedBy(key, bytes, value)
}

function isSignedBy({ publicKey }: Ed25519Key, bytes: Uint8Array, value: string): boolean {
  const signature = Buffer.from(value, 'base64url')
  // Several texts decode to the same bytes; only one of them was written.
  return signature.toString('base64url') === value && verify(null, bytes, publicKey, signature)
}

/** Takes the same time wherever two texts differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function mac({ secret }: StoreSigningKey, bytes: Uint8Array): string {
  return createHmac('sha256', secret).update(bytes).digest('base64url')
}

/** Sets the purpose before the content: what was signed for one purpose is never valid for another. */
function labelled({ purpose, store }: SigningKeys, content: Uint8Array): Uint8Array {
  if (store !== undefined && store.purpose !== purpose) throw new TypeError(`the store's key is for ${store.purpose}, not for ${purpose}`)
  return Buffer.concat([Buffer.from(`varve ${purpose} 1\0`), content])
}
