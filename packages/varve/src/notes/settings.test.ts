import { expect, test } from 'vitest'
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

test("a session's page begins with its headings and their guidance", () => {
  const { template } = notesSettings({
    template: [
      { heading: ' Notes ', guidance: 'All of it.' },
      { heading: 'Rest', guidance: '' },
    ],
  })
  expect(templatePage({ template })).toBe('# Notes\n_All of it._\n\n# Rest\n')
})
