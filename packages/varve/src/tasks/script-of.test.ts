import { expect, test } from 'vitest'
import { hasScript, scriptOf } from './script-of.ts'

test.each([
  ['Ada rents 36 torches', 'Latin'],
  ['Ада арендует 36 фонарей', 'Cyrillic'],
  ['阿达租了36个手电筒', 'Han'],
  ['アダは懐中電灯を借りる', 'Han'],
  ['에이다는 손전등을 빌린다', 'Hangul'],
  ['Ada (阿达) rents torches', 'Latin'],
  ['36 %', undefined],
])('%s is written in %s', (text, script) => {
  expect(scriptOf(text)).toBe(script)
})

test('a text has the letters that it has', () => {
  expect(hasScript('Ada (阿达)', 'Han')).toBe(true)
  expect(hasScript('Ada', 'Han')).toBe(false)
  expect(hasScript('Ада', 'Latin')).toBe(false)
})
