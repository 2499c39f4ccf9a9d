import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitNotes, longSections } from './caps.ts'
import { readPage } from './page.ts'
import { notesSettings } from './settings.ts'
import { runs } from '../testing/runs.ts'

const count = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
const { template } = notesSettings()
const bullets = (word: string, many: number): string => Array.from({ length: many }, (_, at) => `- ${word} ${at + 1}`).join('\n')
const page =
  `# Title\n_Guidance._\n\nShop\n\n# Decisions\n\n${bullets('use', 3)}\n\n# Errors and ` +
  `corrections\n\n${bullets('never', 3)}\n\n# Worklog\n\n${bullets('did', 4)}\n`

test('a page within its caps is left as it is', () => {
  expect(fitNotes(page, count(page), count, 12)).toEqual({ content: page, cut: [] })
})

test('the worklog goes first, its oldest entries first, and then section by section to the errors', () => {
  const all = count(page)
  expect(fitNotes(page, all - 1, count)).toEqual({ content: page.replace('- did 1\n', ''), cut: [{ heading: 'Worklog', entries: 1 }] })
  expect(fitNotes(page, all - 12, count).cut).toEqual([{ heading: 'Worklog', entries: 4 }])
  expect(fitNotes(page, all - 15, count).cut).toEqual([
    { heading: 'Decisions', entries: 1 },
    { heading: 'Worklog', entries: 4 },
  ])
  expect(fitNotes(page, all - 22, count).cut).toEqual([
    { heading: 'Title', entries: 1 },
    { heading: 'Decisions', entries: 3 },
    { heading: 'Worklog', entries: 4 },
  ])
  expect(fitNotes(page, all - 25, count).content).toContain('- never 2\n- never 3')
})

test('then guidance goes, then headings, and the page may end as nothing', () => {
  const bare = '# Title\n\n# Decisions\n\n# Errors and corrections\n\n# Worklog\n'
  expect(fitNotes(page, count(bare), count).content).toBe(bare)
  expect(fitNotes(page, count(bare) - 1, count).content).toBe('# Title\n\n# Decisions\n\n# Errors and corrections\n')
  expect(fitNotes(page, 0, count).content).toBe('')
})

test('a section over its own cap loses its oldest entries', () => {
  expect(fitNotes(page, 1_000, count, 9)).toEqual({ content: page.replace('- did 1\n', ''), cut: [{ heading: 'Worklog', entries: 1 }] })
})

test('a block of code is left out whole', () => {
  const withCode = `# Worklog\n\n\`\`\`\none\n\n# two\n\`\`\`\n- three\n`
  expect(fitNotes(withCode, count(withCode) - 1, count).content).toBe('# Worklog\n\n- three\n')
})

test('sections over their cap are to be condensed, and the longest where the whole page is over', () => {
  expect(longSections(page, { template, sectionTokens: 9, maxTokens: 1_000 }, count)).toEqual([
    { heading: 'Worklog', tokens: 12, maxTokens: 9 },
  ])
  expect(longSections(page, { template, sectionTokens: 100, maxTokens: count(page) - 10 }, count)).toEqual([
    { heading: 'Decisions', tokens: 9, maxTokens: 5 },
    { heading: 'Worklog', tokens: 12, maxTokens: 6 },
  ])
  expect(longSections(page, { template, sectionTokens: 100, maxTokens: 1_000 }, count)).toEqual([])
})

const line = fc.constantFrom(
  '- a b c',
  '- d',
  '  set in e',
  '',
  'f g',
  '```',
  '# Worklog',
  '# Errors',
  '## Sub',
  '# Mine',
  '_h i j_',
  '> q',
  '| t |',
  'k\n===',
  '~~~',
)

test('whatever the page, it never takes more than it may, and every line of it stood there before', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 30 }),
      fc.nat(40),
      fc.nat(12),
      fc.constantFrom(count, (text: string) => Math.ceil(text.length / 4)),
      (lines, most, perSection, counter) => {
        const content = lines.join('\n')
        const fitted = fitNotes(content, most, counter, perSection).content
        expect(counter(fitted)).toBeLessThanOrEqual(most)
        const headings = new Set(readPage(content).sections.map(({ heading }) => heading))
        const sections = readPage(fitted).sections
        // Where the last heading of the first rank went, those below it are sections now.
        if (!sections.every(({ heading }) => headings.has(heading))) return
        for (const { body } of sections) expect(counter(body)).toBeLessThanOrEqual(perSection)
        const before = new Set(content.split('\n'))
        for (const line of fitted.split('\n')) expect(before.has(line) || line === '').toBe(true)
        expect(fitNotes(fitted, most, counter, perSection).content).toBe(fitted)
      },
    ),
    { numRuns: runs(300) },
  )
})
