import { expect, test } from 'vitest'
import { spelledNumbers } from './spelled-numbers.ts'

test.each([
  ['fourteen students', ['14']],
  ['twenty-five or twenty six', ['25', '26']],
  ['a hundred, three hundred and seven', ['100', '307']],
  ['two thousand and six', ['2006']],
  ['twelve thousand four hundred', ['12400']],
  ['two million', ['2000000']],
  ['a dozen eggs, five of them', ['12', '5']],
  ['one two three', ['1', '2', '3']],
  ['ten twenty thirty', ['10', '20', '30']],
  ['nobody someone tent often', []],
  ['', []],
])('%s', (text, numbers) => {
  expect(spelledNumbers(text)).toEqual(numbers)
})
