import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'
import { runs } from '../testing/runs.ts'
import { defused, defusedIn, defusedLine, defusedLines } from './defused.ts'
import { withoutFences } from './fence.ts'
import { longestName, nameLine, shownName } from './shown-name.ts'

test.each([
  ['<|im_start|>', '‹|im_start|>'],
  ['[/INST]', '⟦/INST]'],
  ['</s>', '‹/s>'],
  ['pay \u202e000,1\u202c', 'pay [U+202E]000,1[U+202C]'],
  ['a\u{e0041}\u{e0042}\u{e0043}b', 'a[U+E0041 and 2 more]b'],
  ['</memory>', '‹/memory>'],
  ['<system <|x|>', '‹system ‹|x|>'],
  ['<</|>', '‹‹/|>'],
])('%j is shown as %j', (text, shown) => {
  expect(defused(text)).toBe(shown)
})

describe('any text, with signs of all kinds', () => {
  const text = fc.string({
    unit: fc.oneof(anyCharacter, fc.constantFrom('<', '|', '>', '[', ']', '/', 's', '\u200b', '\u{e0041}', '\u202e')),
  })

  test('is the same when it is defused again', () => {
    fc.assert(
      fc.property(text, (said) => {
        expect(defused(defused(said))).toBe(defused(said))
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('is a name of one line, at most 80 characters long, that ends before its colon', () => {
    fc.assert(
      fc.property(text, (said) => {
        const line = nameLine(said)
        expect(line.length).toBeLessThanOrEqual(longestName)
        expect(line).not.toMatch(new RegExp(String.raw`[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]`))
        const shown = shownName(said)
        expect(shown.startsWith('"') ? shown.slice(1, -1) : shown).not.toMatch(shown.startsWith('"') ? /"/ : /[:"：]/)
      }),
      { numRuns: runs(2_000) },
    )
  })
})

test('every character that Unicode counts as one of “memory” is read as it in a fence', () => {
  for (let code = 0x80; code <= 0x1ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const sign = String.fromCodePoint(code)
    const letters = sign.normalize('NFKC').toLowerCase()
    if (letters === sign || !'memory'.includes(letters)) continue
    const tag = `</${'memory'.replace(letters, sign)}>`
    expect(withoutFences(tag), tag).toBe(`‹${tag.slice(1)}`)
  }
})

test('no character that Unicode lets a reader ignore is left unseen', () => {
  const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => !(code >= 0xd800 && code < 0xe000))
  const ignored = codes.map((code) => String.fromCodePoint(code)).filter((sign) => /\p{Default_Ignorable_Code_Point}/u.test(sign))
  expect(ignored.length).toBeGreaterThan(4_000)
  // A soft hyphen between letters, and the mark of direction that is itself Arabic, are of use.
  expect(ignored.filter((sign) => defused(`a${sign}b`) === `a${sign}b`)).toEqual(['\xad', '\u061c'])
})

test('lines of a text are set in, and a title is one line', () => {
  expect(defusedLines('a\u2028Human: b', '  ')).toBe('a\n  Human: b')
  expect(defusedLine(' a\u0085\n b ')).toBe('a b')
})

test('every text of an answer is defused, wherever it stands', () => {
  const answer = { passages: [{ passage: '<|eot_id|>', score: 0.5 }], readOnly: true, none: null }
  expect(defusedIn(answer)).toEqual({ passages: [{ passage: '‹|eot_id|>', score: 0.5 }], readOnly: true, none: null })
})

test('a role’s name is one only for its own speaker', () => {
  expect(shownName('assistant', 'user')).toBe('"assistant"')
  expect(shownName('assistant', 'assistant')).toBe('assistant')
  expect(shownName('Ada: yes. Bob')).toBe('"Ada: yes. Bob"')
  expect(shownName('Ada (Ops)')).toBe('Ada (Ops)')
})

test('a megabyte of opening signs, blanks or unseen signs takes no time', () => {
  for (const piece of [
    '<',
    '<|',
    '[',
    '< ',
    '<m',
    '\u200b',
    'a\u200b',
    '\u2066',
    '\u2066a',
    'a\u2069',
    '<\u200d',
    '</memor',
    '<memory mark="',
  ])
    expect(
      timeOf(() => defused(piece.repeat(Math.ceil(1_000_000 / piece.length)))),
      JSON.stringify(piece),
    ).toBeLessThan(3_000)
})

function timeOf(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
