import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyOf, entriesOf } from './entries.ts'

test('a bullet goes with what is set in below it, and a block of code stays whole', () => {
  expect(entriesOf('- one\n  more\n\n  and more\n- two\nlazily\n\nline\nline\n\n```ts\n- no bullet\n\n# no heading\n```\nend')).toEqual([
    '- one\n  more\n\n  and more',
    '- two\nlazily',
    '\nline',
    'line',
    '\n```ts\n- no bullet\n\n# no heading\n```',
    'end',
  ])
})

test("a block of code ends with its own signs, as many at least, and one within a bullet is the bullet's", () => {
  expect(entriesOf('````\n```\n~~~~\n````\nend')).toEqual(['````\n```\n~~~~\n````', 'end'])
  expect(entriesOf('- run:\n  ```sh\nnpm test\n  ```\n- then')).toEqual(['- run:\n  ```sh\nnpm test\n  ```', '- then'])
})

test('a block of code that is left open is one entry to the end', () => {
  expect(entriesOf('a\n```\nb\n\n- c')).toEqual(['a', '```\nb\n\n- c'])
})

test('the rows of a table are one entry', () => {
  expect(entriesOf('| a | b |\n|---|---|\n| 1 | 2 |\n- x')).toEqual(['| a | b |\n|---|---|\n| 1 | 2 |', '- x'])
})

const line = fc.constantFrom('- a', '- b', '  set in', '', 'words', '```', '~~~', '````', '| t |', '1. one', '# h', '\tx')

test('the entries of a body are the body again', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const body = lines.join('\n').trim()
      expect(bodyOf(entriesOf(body))).toBe(body)
    }),
  )
})
