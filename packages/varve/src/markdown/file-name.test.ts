import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileName } from './file-name.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'

const somebodys = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.constantFrom(
    '../../etc/passwd',
    '/etc/passwd',
    String.raw`C:\x`,
    'con',
    'NUL.txt',
    'com1',
    'a/b',
    '..',
    '.',
    '',
    ' ',
    'a\0b',
    '\u202egnp.exe',
    'x'.repeat(5_000),
  ),
)

test('a name is one file in the folder, on every system', () => {
  fc.assert(
    fc.property(somebodys, (text) => {
      const name = fileName(text)
      expect(name).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}-]*-[\da-f]{12}\.md$/u)
      expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    }),
  )
})

test('names that differ in case or in a form of Unicode alone are different files, also where neither counts', () => {
  const alike = ['Café', 'café', 'CAFÉ', 'cafe\u0301', 'Café ', 'con', 'CON', 'a/b', 'a:b', 'a b']
  const files = alike.map((text) => fileName(text).normalize('NFKC').toUpperCase())
  expect(new Set(files).size).toBe(alike.length)
})
