import { expect, test } from 'vitest'
import { checkLinear } from './text-steps.ts'

const letters = (length: number): string => 'a'.repeat(length)

test.each([
  ['a loop that is left at each character', /a*b/],
  ['letters before an end', /a+$(?<=b)/],
  ['two ways through', /^a*a*b/],
  ['a look ahead from each character', /a(?=[^b]*c)/g],
])('a regular expression with %s is quadratic', (_name, expression) => {
  expect(() => checkLinear((length) => letters(length).replace(expression, ''))).toThrow(`/${expression.source}/`)
})

test('a regular expression that would not end is not waited for', () => {
  expect(() => checkLinear((length) => /^(?:a|a)*b/.test(letters(length)))).toThrow('/^(?:a|a)*b/ takes more than')
})

test.each([
  ['replaceAll', (text: string) => text.replaceAll(/a/g, 'b')],
  ['test', (text: string) => /^(?:a|b)+$/.test(text)],
  ['split', (text: string) => text.split(/b|a(?=c)/)],
  ['match', (text: string) => text.match(/(?<one>a{1,20})b/)],
  [
    'an expression for the start alone',
    (text: string) => {
      for (let at = 0; at < text.length; at += 1) /^(?:b|c)[)]|^[|]c/.test(text.slice(at))
    },
  ],
  [
    'a text gone through once',
    (text: string) => {
      for (let at = text.indexOf('a'); at >= 0; at = text.indexOf('a', at + 1));
    },
  ],
])('%s is linear', (_name, work) => checkLinear((length) => work(letters(length))))

test.each([
  ['indexOf', (text: string, at: number) => text.indexOf('b', at)],
  [
    'charCodeAt',
    (text: string) => {
      for (let at = 0; at < text.length; at += 1) text.charCodeAt(at)
    },
  ],
])('%s of all the text at each character is quadratic', (name, work) => {
  expect(() =>
    checkLinear((length) => {
      for (let at = 0; at < length; at += 1) work(letters(length), at)
    }),
  ).toThrow(`steps in ${name}`)
})
