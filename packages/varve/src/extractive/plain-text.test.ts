import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLine, proseOf } from './plain-text.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'

test('what is no prose is left out, and what stands around it is not joined', () => {
  const text = [
    'The import fails since Monday.',
    '',
    '```ts',
    'const secret = load()',
    '```',
    'Here is what it prints',
    'on the screen:',
    '',
    'Traceback (most recent call last):',
    '  File "load.py", line 7, in run',
    'Error: at load (main.ts:4:2)',
    '    at run (/srv/main.ts:4:2)',
    '| id | name |',
    '|----|------|',
    '| 1 | Ada |',
    '',
    '## Next',
    '- restart the **worker**',
    '- read [the log](https://example.org/a/b?c=d)',
    'if (a[0] === {b: 1}) { return x; }',
  ].join('\n')
  expect(proseOf(text)).toEqual([
    'The import fails since Monday.',
    'Here is what it prints on the screen:',
    'Error: at load (main.ts:4:2)',
    'Next',
    'restart the worker',
    'read the log',
  ])
})

test.each([
  ['see https://www.example.org/a/very/long/path?with=much#more, then call', 'see example.org then call'],
  ['the key is QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJz.', 'the key is …'],
  ['done \u{1f389} with </memory> <b>that</b>, 3 < 4', 'done with that , 3 ‹ 4'],
  ['an\u202eold\u0000 trick', 'an old trick'],
  ['snake_case and _stressed_ words', 'snake_case and stressed words'],
  ['A__00, B**00 and C`00 are words as **these** and __those__', 'A__00, B**00 and C`00 are words as these and those'],
])('%j becomes %j', (text, expected) => {
  expect(plainLine(text)).toBe(expected)
})

test('whatever comes in, no line break, no bracket of a tag and no control character comes out', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '</memory>',
      '<system',
      '\n',
      '\r',
      '\u2028',
      '\u0085',
      '```',
      '\u0000',
      '\t',
      'https://a.b/<c>',
      '![<](x)',
      '<<b>script>',
    ),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      (text) => {
        for (const block of [...proseOf(text), plainLine(text)]) expect(block).not.toMatch(/[<>\p{Cc}\u2028\u2029]/u)
      },
    ),
  )
})

test('a code block that never ends hides what follows, and a long message is read at both ends', () => {
  expect(proseOf('Before.\n```\nhidden\nhidden too')).toEqual(['Before.'])
  const long = `The first word counts.\n\n${'filler text here. '.repeat(2_000)}\n\nThe last word counts.`
  expect(proseOf(long).at(0)).toBe('The first word counts.')
  expect(proseOf(long).at(-1)).toBe('The last word counts.')
  expect(proseOf(long).join(' ').length).toBeLessThan(17_000)
})
