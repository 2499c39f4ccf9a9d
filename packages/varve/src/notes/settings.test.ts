import { expect, test } from 'vitest'
import { InvalidOption } from '../errors/invalid-option.ts'
import { notesSettings } from './settings.ts'
import { templatePage } from './template-page.ts'

test('what is left out is as it usually is', () => {
  expect(notesSettings()).toMatchObject({ firstTokens: 10_000, growthTokens: 5_000, toolCalls: 3, sectionTokens: 2_000, maxTokens: 12_000 })
  expect(notesSettings({ growthTokens: 1 })).toMatchObject({ firstTokens: 10_000, growthTokens: 1 })
  expect(notesSettings().template.map(({ heading }) => heading)).toEqual([
    'Title',
    'Current state and next steps',
    'Task and design decisions',
    'Important files and functions',
    'Workflow commands',
    'Errors and corrections',
    'System documentation',
    'Learnings',
    'Key results',
    'Worklog',
  ])
})

test.each([0, -1, Number.NaN, Infinity, 0.5, '5', null, true])('%s is refused for every number', (value) => {
  for (const name of ['firstTokens', 'growthTokens', 'toolCalls', 'sectionTokens', 'maxTokens'])
    expect(() => notesSettings({ [name]: value })).toThrow(new RegExp(`^notes\\.${name} must be a whole number`))
})

test.each([null, 'notes', [], 7])('%j are no settings', (received) => {
  expect(() => notesSettings(received)).toThrow(InvalidOption)
})

test('a mistyped name is refused, and those that are known are named', () => {
  expect(() => notesSettings({ fistTokens: 10 })).toThrow(/^notes\.fistTokens must be left out: .*firstTokens/)
})

test.each([
  [[], 'notes.template must be a list'],
  ['Title', 'notes.template must be a list'],
  [['Title'], 'notes.template[0] must be an object'],
  [
    [
      { heading: 'A', guidance: '' },
      { heading: '  ', guidance: '' },
    ],
    'notes.template[1].heading',
  ],
  [
    [
      { heading: 'A', guidance: '' },
      { heading: 'a', guidance: '' },
    ],
    'notes.template[1].heading must be unlike every other',
  ],
  [[{ heading: 'A\nB', guidance: '' }], 'notes.template[0].heading must be one line'],
  [[{ heading: '# A', guidance: '' }], 'notes.template[0].heading must be some words'],
  [[{ heading: 'A' }], 'notes.template[0].guidance'],
  [[{ heading: 'A', guidance: 'x\ny' }], 'notes.template[0].guidance'],
  [[{ heading: 'A', guidance: '', depth: 2 }], 'notes.template[0].depth'],
])('the template %j is refused', (template, message) => {
  expect(() => notesSettings({ template })).toThrow(message)
})

test('a page that has no room for its own headings is refused', () => {
  expect(() => notesSettings({ maxTokens: 100 })).toThrow(/^notes\.maxTokens must be at least \d+, twice what the template takes/)
  expect(notesSettings({ maxTokens: 100, template: [{ heading: 'Notes', guidance: '' }] }).maxTokens).toBe(100)
})

test("a session's page begins with its headings and their guidance", () => {
  const { template } = notesSettings({
    template: [
      { heading: ' Notes ', guidance: 'All of it.' },
      { heading: 'Rest', guidance: '' },
    ],
  })
  expect(templatePage({ template })).toBe('# Notes\n_All of it._\n\n# Rest\n')
})
