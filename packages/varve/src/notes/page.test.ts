import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sectionsOf } from '../pages/sections.ts'
import { conformed, faultOf, readPage, writePage } from './page.ts'
import { notesSettings } from './settings.ts'
import { templatePage } from './template-page.ts'
import { runs } from '../testing/runs.ts'

const { template } = notesSettings({
  template: [
    { heading: 'Title', guidance: 'What it is.' },
    { heading: 'Errors', guidance: '' },
    { heading: 'Worklog', guidance: 'Steps.' },
  ],
})
const page = '# Title\n_What it is._\n\nA shop\n\n# Errors\n\n- one\n- two\n\n# Worklog\n_Steps._\n'
const asWritten = (content: string): string => writePage(conformed(content, template))

test('a page is read into its sections, and written as it was', () => {
  const read = readPage(page, template)
  expect(read.sections.map(({ heading, body }) => [heading, body])).toEqual([
    ['Title', 'A shop'],
    ['Errors', '- one\n- two'],
    ['Worklog', ''],
  ])
  expect(writePage(read)).toBe(page)
  expect(readPage(page).sections).toEqual(read.sections)
})

test('a page that conforms is left as it is, and an empty one becomes the template', () => {
  expect(asWritten(page)).toBe(page)
  expect(asWritten('')).toBe(templatePage({ template }))
  expect(faultOf(page, template)).toBeUndefined()
})

test('what a person has put in disorder is put in order, and nothing of it is lost', () => {
  const changed = 'My page\r\n\r\n# Worklog\r\nfirst\r\n\r\n# Ideas\r\n- mine\r\n\r\n## ERRORS\r\n- one\r\n# Worklog\r\nthen\r\n'
  expect(asWritten(changed)).toBe(
    'My page\n\n# Title\n_What it is._\n\n# Errors\n\n- one\n\n# Worklog\n_Steps._\n\nfirst\nthen\n\n# Ideas\n\n- mine\n',
  )
  expect(asWritten(asWritten(changed))).toBe(asWritten(changed))
})

test('a heading in a block of code is none, nor is one that is set in below a bullet', () => {
  const inCode = page.replace('- two', '- two\n  # Worklog\n```\n# Worklog\n```')
  expect(readPage(inCode, template).sections).toHaveLength(3)
  expect(faultOf(inCode, template)).toBeUndefined()
})

test('headings right after bullets, and underlined ones, are found', () => {
  expect(readPage('# A\n- one\n- two\n# B\n- three\nfour\n\nC\n=\n- five\n').sections.map(({ heading }) => heading)).toEqual([
    'A',
    'B',
    'C',
  ])
})

test.each([
  [page.replace('# Errors\n', '\n'), 'the section "Errors" is gone'],
  [page.replace('- one', '```\n- one'), 'the section "Worklog" is gone'],
  [`${page}\n# Errors\n`, 'the section "Errors" stands there 2 times'],
  ['# Errors\n\n# Title\n_What it is._\n\n# Worklog\n_Steps._\n', 'the section "Errors" stands before one'],
  [page.replace('_Steps._', '_All steps._'), 'the guidance below "Worklog" was changed'],
])('a page that does not conform is told why', (content, fault) => {
  expect(faultOf(content, template)).toContain(fault)
})

const line = fc.constantFrom(
  '- a',
  '- b c',
  '- `d`',
  '- # h',
  '-  x',
  '- - y',
  '- ```',
  '- <div>',
  '- [a]: /b',
  '',
  ' ',
  '# One',
  '# Two',
  '===',
  '---',
  'words',
  '  set in',
  '    # far',
  '\t- x',
  '> # q',
  '```',
  '~~~',
  '<!--',
  '1. # n',
  '- 1. z',
  '- | t |',
  '* c',
  '+ # d',
  '-',
  '- \\# e',
)

test('sections are found where the parser finds them, whatever bullets stand around', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
      const content = lines.join('\n')
      const headings = sectionsOf(content).filter(({ depth }) => depth === 1)
      if (headings.length > 0)
        expect(readPage(content).sections.map(({ heading }) => heading)).toEqual(headings.map(({ heading }) => heading))
    }),
    { numRuns: runs(300) },
  )
})
