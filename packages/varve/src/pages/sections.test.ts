import { expect, test } from 'vitest'
import { checkLinear } from '../testing/text-steps.ts'
import { sectionsNamed, sectionsOf } from './sections.ts'

const shown = (content: string): string[] =>
  sectionsOf(content).map(({ heading, depth, from, to }) => `${'#'.repeat(depth)} ${heading} ${from}-${to}`)

test('a section ends before the next heading of the same or a higher rank, and holds those beneath', () => {
  expect(shown('intro\n# A\none\n## A1\n\n## A2\n# B\n')).toEqual(['# A 2-6', '## A1 4-5', '## A2 6-6', '# B 7-7'])
})

test('a page without headings has no section', () => {
  expect(sectionsOf('')).toEqual([])
  expect(sectionsOf('- a\n#hashtag\n')).toEqual([])
})

test('a number sign in a code fence is no heading', () => {
  expect(shown('# A\n```sh\n# install\n```\n~~~\n## b\n~~~\n    # indented\n')).toEqual(['# A 1-8'])
})

test('a fence that is never closed holds all that follows', () => {
  expect(shown('# A\n```\n# B\n# C')).toEqual(['# A 1-4'])
})

test('a heading in a quotation or a list opens no section', () => {
  expect(shown('# A\n> # quoted\n\n- # listed\n')).toEqual(['# A 1-4'])
})

test('an underlined heading is one, and the last of its lines is told', () => {
  expect(sectionsOf('Our\nbike\n====\nred\n')).toEqual([{ heading: 'Our bike', depth: 1, from: 1, to: 4, headingTo: 3 }])
})

test('a heading is read as it is written', () => {
  expect(shown('## **Errors** & `a_b_c` [x](y) \\# ##\n')).toEqual(['## **Errors** & `a_b_c` [x](y) \\# 1-1'])
})

test.each(['\n', '\r\n'])('lines are counted as they are shown, with a carriage return within one and %j at its end', (eol) => {
  expect(shown(`# A\rx${eol}y${eol}${eol}# B`)).toEqual(['# A x 1-3', '# B 4-4'])
})

test('a mark of the byte order before the first heading is passed over', () => {
  expect(shown('\uFEFF# A\n')).toEqual(['# A 1-1'])
})

test('a section is found by its heading, in other case and with marks if there is none of exactly this one', () => {
  const sections = sectionsOf('# Notes\n# notes\n# **Files** and  paths\n')
  const linesOfNamed = (name: string): number[] => sectionsNamed(sections, name).map(({ from }) => from)
  expect(linesOfNamed('notes')).toEqual([2])
  expect(linesOfNamed('NOTES')).toEqual([1, 2])
  expect(linesOfNamed('## files and paths')).toEqual([3])
  expect(linesOfNamed('Files')).toEqual([])
})

test.each([
  ['quotations in each other', '>'],
  ['lists in each other', '+ '],
  ['numbered lists in each other', '1. '],
  ['both', '> + '],
  ['underlined headings', 'a\n=\n'],
  ['brackets', '['],
  ['fences', '```\n'],
])('a page of nothing but %s is read in linear time', (_, hostile) => {
  checkLinear((length) => {
    const page = `# A\n${hostile.repeat(length / hostile.length)}`
    expect(sectionsOf(page).at(0)).toMatchObject({ heading: 'A', from: 1 })
  })
})

test('a rule of many dashes is a rule, not a list', () => {
  expect(shown(`a\n\n${'- '.repeat(60)}\n# B\n`)).toEqual(['# B 4-4'])
})
