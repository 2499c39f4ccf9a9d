import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import { ed25519Key, type SigningKeys, storeSigningKey } from './keys.ts'
import { checkSignatures, signaturesOf } from './signatures.ts'

const secret = randomBytes(32).toString('hex')
const pair = generateKeyPairSync('ed25519')
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const own = ed25519Key(pem, 'signingKey')
const keys: SigningKeys = { purpose: 'receipts', store: storeSigningKey(secret, 'receipts'), ed25519: [own] }
const content = Buffer.from('forgotten: 3')

test('content is signed by the store and by a person, and each alone can check it', () => {
  const signatures = signaturesOf(keys, content)
  expect(signatures.map(({ by }) => by)).toEqual(['store', 'ed25519'])
  expect(checkSignatures(keys, content, signatures).state).toBe('verified')
  const third: SigningKeys = { purpose: 'receipts', ed25519: [ed25519Key(publicPem, 'key')] }
  expect(checkSignatures(third, content, signatures)).toEqual({ state: 'verified', by: [{ by: 'ed25519', keyId: own.keyId }] })
  expect(checkSignatures({ purpose: 'receipts', store: keys.store }, content, signatures).state).toBe('verified')
  expect(checkSignatures({ purpose: 'receipts' }, content, signatures).state).toBe('unknown')
  expect(checkSignatures(keys, content, []).state).toBe('unsigned')
})

test('a public key signs nothing', () => {
  expect(signaturesOf({ purpose: 'receipts', ed25519: [ed25519Key(publicPem, 'key')] }, content)).toEqual([])
})

test('a signature for one purpose is none for another', () => {
  const signatures = signaturesOf(keys, content)
  const other: SigningKeys = { purpose: 'export', store: storeSigningKey(secret, 'export'), ed25519: [own] }
  expect(checkSignatures(other, content, signatures)).toMatchObject({ state: 'failed', by: { by: 'store' } })
  expect(checkSignatures({ ...other, store: undefined }, content, signatures)).toMatchObject({ state: 'failed', by: { by: 'ed25519' } })
  expect(() => signaturesOf({ purpose: 'export', store: keys.store }, content)).toThrow('for receipts, not for export')
})

test('keys of other stores and persons are not at hand, though they have signed', () => {
  const signatures = signaturesOf(keys, content)
  const others: SigningKeys = {
    purpose: 'receipts',
    store: storeSigningKey(randomBytes(32).toString('hex'), 'receipts'),
    ed25519: [ed25519Key(generateKeyPairSync('ed25519').publicKey, 'key')],
  }
  expect(checkSignatures(others, content, signatures)).toEqual({ state: 'unknown', by: signatures.map(({ by, keyId }) => ({ by, keyId })) })
})

test('one wrong signature is told, though another is right', () => {
  const mixed = [...signaturesOf(keys, content).slice(0, 1), ...signaturesOf(keys, Buffer.from('forgotten: 4')).slice(1)]
  expect(mixed.map(({ by }) => by)).toEqual(['store', 'ed25519'])
  expect(checkSignatures(keys, content, mixed)).toMatchObject({ state: 'failed', by: { by: 'ed25519' } })
})

test('any changed bit of content or signature fails', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.nat(), fc.nat({ max: 7 }), (bytes, place, bit) => {
      const signatures = signaturesOf(keys, bytes)
      const changed = Uint8Array.from(bytes)
      const at = place % bytes.length
      changed[at] = (changed[at] ?? 0) ^ (1 << bit)
      expect(checkSignatures(keys, changed, signatures).state).toBe('failed')
      for (const [one, signature] of signatures.entries()) {
        const value = Buffer.from(signature.value)
        const character = place % value.length
        value[character] = (value[character] ?? 0) ^ (1 << bit)
        const broken = signatures.with(one, { ...signature, value: value.toString('latin1') })
        expect(checkSignatures(keys, bytes, broken).state).toBe('failed')
      }
    }),
  )
})

test('an Ed25519 key comes as PEM or KeyObject, private or public, and has one id', () => {
  const forms = [pem, publicPem, createPrivateKey(pem), createPublicKey(publicPem)]
  expect(new Set(forms.map((form) => ed25519Key(form, 'signingKey').keyId))).toEqual(new Set([own.keyId]))
  expect(own.keyId).toMatch(/^[0-9a-f]{16}$/)
})

test('another key is refused, and the refusal does not quote it', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const broken = pem.replace(/\n(.{20})/, '\n*$1')
  for (const given of [rsa, rsa.export({ type: 'pkcs8', format: 'pem' }).toString(), createSecretKey(randomBytes(32)), broken, 'words']) {
    try {
      ed25519Key(given, 'signingKey')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidConfiguration)
      expect(error).toMatchObject({ setting: 'signingKey' })
      expect(String(error)).not.toContain(pem.split('\n')[1]?.slice(0, 20))
    }
  }
})

test("a store's key differs by purpose, and its id does not", () => {
  const [receipts, exported] = [storeSigningKey(secret, 'receipts'), storeSigningKey(secret, 'export')]
  expect(receipts.keyId).toBe(exported.keyId)
  expect(Buffer.from(receipts.secret).equals(Buffer.from(exported.secret))).toBe(false)
  expect(Buffer.from(receipts.secret).toString('hex')).not.toContain(secret)
})
