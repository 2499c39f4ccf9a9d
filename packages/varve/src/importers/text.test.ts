import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'
import { validName } from '../scope/name.ts'
import { Tally } from './reasons.ts'
import { cleanName, cleanText, derivedId, maxIdBytes, acceptedMessageId, sessionId, splitText } from './text.ts'

const anyString = fc.string({ unit: anyCharacter })

describe('text', () => {
  it('loses NUL, and lone surrogates become U+FFFD, counted', () => {
    const tally = new Tally()
    expect(cleanText('a\0b\uD800c', tally)).toBe('ab\uFFFDc')
    expect(cleanText('fine 🐝', tally)).toBe('fine 🐝')
    expect(tally.repaired).toEqual({ 'NUL removed': 1, 'lone surrogate replaced': 1 })
  })

  it('is split into pieces that fit and are the text again', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '語', '🐝'), minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 12 }), (any, maxBytes) => {
        const pieces = splitText(any, maxBytes)
        expect(pieces.join('')).toBe(any)
        for (const piece of pieces) {
          expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(maxBytes)
          expect(piece.isWellFormed()).toBe(true)
        }
      }),
    )
  })
})

describe('ids', () => {
  it('of sessions are kept when the store takes them, else always replaced by the same', () => {
    fc.assert(
      fc.property(fc.oneof(anyString, fc.constantFrom('.', '..', '~', '', ' ', 'x'.repeat(257), 'é'.repeat(129))), (any) => {
        const { id, replaced } = sessionId(any)
        expect(validName('session', id)).toBe(id)
        expect(replaced).toBe(id !== any)
        expect(sessionId(any)).toEqual({ id, replaced })
      }),
    )
    expect(sessionId('.').id).not.toBe(sessionId('..').id)
  })

  it('of messages leave room for the number of a piece', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }), (any) => {
        const { id, replaced } = acceptedMessageId(any)
        expect(Buffer.byteLength(id)).toBeLessThanOrEqual(maxIdBytes)
        expect(id.isWellFormed() && !id.includes('\0')).toBe(true)
        expect(replaced).toBe(id !== any)
      }),
    )
  })

  it('that are derived tell session, place, role and content apart', () => {
    const ids = [
      derivedId('s', 1, 'user', 'a'),
      derivedId('s', 2, 'user', 'a'),
      derivedId('s', 1, 'tool', 'a'),
      derivedId('s1', 1, 'user', 'a'),
      derivedId('s', 1, 'user', 'a\0'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids[0]).toBe('import-d1d947ed329edf6c67800440')
  })
})

describe('names', () => {
  it('are cleaned, trimmed and cut to 256 bytes', () => {
    const tally = new Tally()
    expect(cleanName('  Ada\0 ', tally)).toBe('Ada')
    expect(cleanName('\uD800', tally)).toBe('\uFFFD')
    expect(cleanName('é'.repeat(300), tally)).toBe('é'.repeat(128))
    expect(cleanName(' \n', tally)).toBeUndefined()
    expect(cleanName(' Bo ', tally)).toBe('Bo')
    expect(tally.repaired).toEqual({ 'name changed': 3 })
  })
})
