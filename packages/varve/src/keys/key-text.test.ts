import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uuidv7 } from '../ids/uuid.ts'
import { idInKey, keyDigest, newKeyText, sameDigest } from './key-text.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'

const id = uuidv7()
const key = newKeyText(id)

describe('the text of a key', () => {
  test('names its id, and holds a new secret of 256 bits', () => {
    expect(idInKey(key)).toBe(id)
    expect(key).toMatch(/^varve_[0-9a-f]{32}_[\w-]{43}$/)
    const secrets = new Set(Array.from({ length: 100 }, () => newKeyText(id)))
    expect(secrets.size).toBe(100)
  })

  test('is refused when anything of it is missing, added or other', () => {
    for (let end = 0; end < key.length; end += 1) expect(idInKey(key.slice(0, end))).toBeUndefined()
    const odd = [
      ...[`${key}=`, ` ${key}`, `${key}\n`, key.toUpperCase(), key.replace('varve_', 'varvé_'), key.replace('varve', 'ｖarve')],
      ...[key.replace(/.$/u, '\u{1f511}'), `${key.slice(0, -1)}\0`, 'x'.repeat(1_000_000), key.repeat(2)],
      // A uuid of no version.
      `varve_${'f'.repeat(31)}e_${key.slice(39)}`,
    ]
    for (const text of odd) expect(idInKey(text), text.slice(0, 90)).toBeUndefined()
    for (const value of [undefined, null, 0, {}, [key], new String(key), { length: 82 }]) expect(idInKey(value)).toBeUndefined()
  })

  test('has one spelling alone', () => {
    // 43 characters hold 258 bits: the last 2 must be zero.
    const last = key.at(-1) ?? ''
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [1, 2, 3].map((more) => `${key.slice(0, -1)}${letters[letters.indexOf(last) + more] ?? ''}`)
    for (const other of others) {
      expect(Buffer.from(other.slice(39), 'base64url')).toEqual(Buffer.from(key.slice(39), 'base64url'))
      expect(idInKey(other)).toBeUndefined()
    }
  })

  test('is read without a throw, whatever came', () => {
    fc.assert(fc.property(fc.oneof(fc.anything(), fc.string({ unit: anyCharacter, size: 'large' })), (any) => idInKey(any) === undefined))
  })

  test('another digest is not the same, nor one of another length', () => {
    expect(sameDigest(keyDigest(key), keyDigest(key))).toBe(true)
    expect(sameDigest(keyDigest(key), keyDigest(newKeyText(id)))).toBe(false)
    expect(sameDigest(keyDigest(key), keyDigest(key).subarray(0, 31))).toBe(false)
  })
})
