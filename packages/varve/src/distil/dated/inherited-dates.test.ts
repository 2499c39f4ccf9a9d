import { expect, test } from 'vitest'
import { withInheritedDates } from './inherited-dates.ts'

const inherited = (text: string, ...sources: readonly string[]): string | undefined =>
  withInheritedDates([{ text }], () => sources)[0]?.text

test.each([
  ['Ada won and slept last week.', ['Ada won last week (week of 1 May 2023).'], 'Ada won and slept last week (week of 1 May 2023).'],
  ['Yesterday Ada won.', ['Ada won yesterday (6 May 2023).'], 'Yesterday (6 May 2023) Ada won.'],
  ['Ada won by 7 May.', ['She won by 7 May (2023) or so.'], 'Ada won by 7 May (2023).'],
  ['Last night’s game was lost.', ["Last night's (6 May 2023) game was lost."], 'Last night’s (6 May 2023) game was lost.'],
])('a text takes the date of its source: %s', (text, sources, dated) => {
  expect(inherited(text, ...sources)).toBe(dated)
  expect(inherited(dated, ...sources)).toBe(dated)
})

test('a phrase with two dates, with none, or with something else behind it gets none', () => {
  for (const sources of [
    ['A yesterday (6 May 2023).', 'B yesterday (9 May 2023).'],
    ['Ada won yesterday.'],
    ['Yesterday (a Friday) Ada won.'],
    [],
  ])
    expect(inherited('Ada won yesterday.', ...sources)).toBe('Ada won yesterday.')
})
