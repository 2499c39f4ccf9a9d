import { expect, it } from 'vitest'
import { phrases, regex, source, wordSet, wordTable } from './word-lists.ts'

it('reads words, phrases and tables over several lines', () => {
  expect(
    wordSet(`cat dog
    horse`),
  ).toEqual(new Set(['cat', 'dog', 'horse']))
  expect(
    phrases(`from now on, good (?:morning|evening),
    by the way`),
  ).toEqual(['from now on', 'good (?:morning|evening)', 'by the way'])
  expect(wordTable('kids: child, gonna: going to, tis: ')).toEqual({ kids: 'child', gonna: 'going to', tis: '' })
})

it('makes a pattern of a source over several lines, with its parts as they are', () => {
  const name = String.raw`\p{Lu}\p{Ll}+`
  expect(source`^(?:cat|
    dog) ${name}\n`).toBe(String.raw`^(?:cat|dog) \p{Lu}\p{Ll}+\n`)
  expect(
    regex('u')`^my (?:cat|
      dog) (${name})$`.exec('my dog Rex')?.[1],
  ).toBe('Rex')
})
