import { generateKeyPairSync, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ed25519Key, type SigningKeys, storeSigningKey } from './keys.ts'
import { LineChain } from './line-chain.ts'
import { type CheckedLines, LineCheck } from './line-check.ts'
import { linesPerSeal, looksLikeSeal } from './seal.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'

const person = generateKeyPairSync('ed25519')
const keys: SigningKeys = {
  purpose: 'export',
  store: storeSigningKey(randomBytes(32).toString('hex'), 'export'),
  ed25519: [ed25519Key(person.privateKey, 'signingKey')],
}
const none: SigningKeys = { purpose: 'export' }

function sealed(lines: readonly string[], using = keys): string[] {
  const chain = new LineChain(using)
  return [...lines.flatMap((line) => [line, ...chain.add(line)]), ...chain.end()]
}

/** Checks the bytes of a document, line by line. */
function checked(bytes: Uint8Array, using = keys): CheckedLines {
  const check = new LineCheck(using)
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(10, from)
    check.add(bytes.subarray(from, end < 0 ? bytes.length : end))
    from = end < 0 ? bytes.length : end + 1
  }
  return check.end()
}

const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''))
const checkedLines = (lines: readonly string[], using = keys): CheckedLines => checked(bytesOf(lines), using)
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => JSON.stringify({ at, text: `line ${at} ünd ☃` }))

test('a document of lines is whole, and says who signed it', () => {
  for (const count of [0, 1, linesPerSeal - 1, linesPerSeal, linesPerSeal + 1, 2 * linesPerSeal]) {
    const document = sealed(numbered(count))
    expect(checkedLines(document)).toMatchObject({ state: 'verified', by: [{ by: 'store' }, { by: 'ed25519' }] })
    const third = { purpose: 'export', ed25519: [ed25519Key(person.publicKey, 'key')] } as const
    expect(checkedLines(document, third)).toMatchObject({ state: 'verified', by: [{ by: 'ed25519' }] })
    expect(checkedLines(document, none)).toMatchObject({ state: 'unknown' })
    expect(checkedLines(sealed(numbered(count), none))).toEqual({ state: 'unsigned' })
  }
})

const long = sealed(numbered(2 * linesPerSeal + 200))
/** The number of the line in the sealed document at which a line of the second block stands. */
const inSecond = linesPerSeal + 1 + 500

const failures: readonly [string, (lines: string[]) => string[], number, string][] = [
  ['a changed line', (lines) => lines.with(inSecond, `${lines[inSecond]} `), inSecond + 1, 'changed'],
  ['a missing line', (lines) => lines.toSpliced(inSecond, 1), inSecond + 1, 'missing'],
  ['three missing lines', (lines) => lines.toSpliced(inSecond, 3), inSecond + 1, 'missing'],
  ['an inserted line', (lines) => lines.toSpliced(inSecond, 0, 'new'), inSecond + 1, 'inserted'],
  ['a line inserted into the last block', (lines) => lines.toSpliced(2 * linesPerSeal + 50, 0, 'new'), 2 * linesPerSeal + 51, 'inserted'],
  [
    'a line said twice',
    (lines) => lines.toSpliced(2 * linesPerSeal + 50, 0, lines[2 * linesPerSeal + 50] ?? ''),
    2 * linesPerSeal + 52,
    'inserted',
  ],
  [
    'two lines that changed places',
    (lines) => lines.with(inSecond, lines[inSecond + 9] ?? '').with(inSecond + 9, lines[inSecond] ?? ''),
    inSecond + 1,
    'moved',
  ],
  ['a missing block', (lines) => lines.toSpliced(linesPerSeal + 1, linesPerSeal + 1), linesPerSeal + 2, 'missing'],
  ['a missing seal', (lines) => lines.toSpliced(linesPerSeal, 1), linesPerSeal + 1, 'inserted'],
  ['a cut within a block', (lines) => lines.slice(0, inSecond), inSecond + 1, 'cut'],
  ['a cut after a seal', (lines) => lines.slice(0, linesPerSeal + 1), linesPerSeal + 2, 'cut'],
  ['a line after the end', (lines) => [...lines, 'more'], long.length + 1, 'inserted'],
  ['a second end', (lines) => [...lines, lines.at(-1) ?? ''], long.length + 1, 'inserted'],
]

for (const [name, change, line, reason] of failures) {
  test(`the first wrong line is named: ${name}`, () => {
    for (const using of [keys, none]) expect(checkedLines(change(long), using)).toEqual({ state: 'failed', fault: { line, reason } })
  })
}

test('a block of another document with the same key does not fit', () => {
  const other = sealed(Array.from({ length: 2 * linesPerSeal }, (_, at) => `other ${at}`))
  const spliced = [...long.slice(0, linesPerSeal + 1), ...other.slice(linesPerSeal + 1)]
  expect(checkedLines(spliced)).toMatchObject({ state: 'failed', fault: { line: 2 * linesPerSeal + 2, reason: 'seal' } })
})

test('lines that another has changed and sealed anew fail at the seal', () => {
  const forger: SigningKeys = {
    purpose: 'export',
    store: { ...storeSigningKey(randomBytes(32).toString('hex'), 'export'), keyId: keys.store?.keyId ?? '' },
  }
  const lines = numbered(linesPerSeal + 5).with(7, 'forged')
  expect(checkedLines(sealed(lines, forger))).toEqual({ state: 'failed', fault: { line: linesPerSeal + 1, reason: 'signature' } })
  // With their own name they are nobody that is known here.
  expect(checkedLines(sealed(lines, { purpose: 'export', store: storeSigningKey('another', 'export') }))).toMatchObject({
    state: 'unknown',
  })
})

test('a seal whose one signer has another name is not verified by the other', () => {
  const renamed = long.with(long.length - 1, (long.at(-1) ?? '').replace(/"keyId":"[0-9a-f]{16}"/, '"keyId":"0123456789abcdef"'))
  expect(checkedLines(renamed)).toEqual({ state: 'failed', fault: { line: long.length, reason: 'signature' } })
})

test('a document whose seals lost their signatures is not verified', () => {
  const bare = long.map((line) => line.replace(/"signatures":\[.*\]/, '"signatures":[]'))
  expect(checkedLines(bare)).toEqual({ state: 'unsigned' })
})

test('a line that a changed byte splits is named, in a full block too', () => {
  const bytes = bytesOf(sealed(numbered(linesPerSeal + 3)))
  bytes[0] = 10
  for (const using of [keys, none]) expect(checked(bytes, using)).toMatchObject({ state: 'failed', fault: { line: 1 } })
})

test('any single changed byte is found, and its line is named', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => JSON.stringify({ text }))
  const lines = fc.oneof({ weight: 9, arbitrary: fc.array(line, { maxLength: 12 }) }, fc.constant(numbered(linesPerSeal + 3)))
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat({ max: 255 }), (given, place, byte) => {
      const bytes = bytesOf(sealed(given))
      // The last byte ends the last line. Nothing hangs on it.
      const at = place % (bytes.length - 1)
      fc.pre(bytes[at] !== byte)
      const named = bytes.subarray(0, at).filter((one) => one === 10).length + 1
      // A seal that is split says no more which lines there were: either part of it may be named.
      const isSplitSeal = byte === 10 && looksLikeSeal(bytes.toString().split('\n')[named - 1] ?? '')
      bytes[at] = byte
      const found = checked(bytes)
      expect(found.state).toBe('failed')
      expect(isSplitSeal ? [named, named + 1] : [named]).toContain(found.state === 'failed' ? found.fault.line : undefined)
    }),
    { numRuns: 500 },
  )
})

test('any lost byte is found, and its line is named', () => {
  const line = fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => JSON.stringify({ text }))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.nat(), (given, place) => {
      const bytes = bytesOf([...sealed(['a broken \uFFFD character', ...given])])
      const at = place % (bytes.length - 1)
      const named = bytes.subarray(0, at).filter((one) => one === 10).length + 1
      const less = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
      expect(checked(less)).toMatchObject({ state: 'failed', fault: { line: named } })
    }),
  )
})

test('a text that holds a whole seal is a line like any other', () => {
  const seal = long.at(-1) ?? ''
  const lines = [JSON.stringify({ text: seal }), JSON.stringify({ text: `${seal}\n` }), JSON.stringify([seal])]
  expect(checkedLines(sealed(lines)).state).toBe('verified')
})

test('the reader holds two blocks at most, however long the document is', () => {
  const check = new LineCheck(keys)
  for (let at = 0; at < 3 * linesPerSeal; at += 1) check.add('the same')
  expect(check.fault).toEqual({ line: linesPerSeal + 1, reason: 'inserted' })
  expect(check.line).toBe(3 * linesPerSeal)
})
