import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editNotes, maxNotesCalls } from './edit.ts'
import { faultOf, readPage } from './page.ts'
import { notesSettings } from './settings.ts'
import { templatePage } from './template-page.ts'
import { runs } from '../testing/runs.ts'

const settings = notesSettings()
const empty = templatePage(settings)
const bodyIn = (content: string, section: string): string | undefined =>
  readPage(content, settings.template).sections.find(({ heading }) => heading === section)?.body
const edit = (section: string, text: string, old?: string): object => ({
  tool: 'edit',
  section,
  text,
  ...(old === undefined ? {} : { old }),
})

test("a section's body is replaced, and its heading and guidance stay", () => {
  const { content, applied, refused } = editNotes(empty, [edit('Learnings', '- The cache is per tenant.')], settings)
  expect([applied, refused]).toEqual([1, []])
  expect(content).toBe(empty.replace('stands in another section._', 'stands in another section._\n\n- The cache is per tenant.'))
})

test('calls are carried out one after another, and a text is replaced where it stands', () => {
  const { content, applied } = editNotes(
    empty,
    [edit('Learnings', '- a $& b\n- c'), edit('learnings', '- $1 d', '- c'), edit('# Worklog', 'x')],
    settings,
  )
  expect(applied).toBe(3)
  expect([bodyIn(content, 'Learnings'), bodyIn(content, 'Worklog')]).toEqual(['- a $& b\n- $1 d', 'x'])
})

test('a body that comes with its heading and guidance is taken without them', () => {
  const { content } = editNotes(
    empty,
    [edit('Worklog', '# Worklog\n_What was done, step by step, a short line each._\n\n- began')],
    settings,
  )
  expect(bodyIn(content, 'Worklog')).toBe('- began')
})

test.each([
  [{ tool: 'bash', command: 'rm -rf /' }, 'the only tool is "edit"'],
  [{ ...edit('Worklog', 'x'), path: '/etc/passwd' }, 'nothing but the notes can be edited'],
  ['edit', 'a call is an object'],
  [null, 'a call is an object'],
  [edit('Diary', 'x'), 'there is no such section; there are: Title; Current state'],
  [{ tool: 'edit', section: 'Worklog' }, '"text" is the new text, and this was undefined'],
  [{ ...edit('Worklog', 'x'), old: 3 }, '"old" is the text to replace, and this was 3'],
  [edit('Worklog', 'x', 'gone'), '"old" does not stand in the section "Worklog"'],
  [edit('Worklog', 'x', 'two'), '"old" stands 2 times in the section "Worklog"'],
  [edit('Worklog', 'x', 'What was done'), '"old" does not stand'],
  [edit('Learnings', '# Diary\n- x'), 'there is a section "Diary" that the page does not have'],
  [edit('Learnings', '# Worklog\n- x'), 'the section "Worklog" stands there 2 times'],
  [edit('Learnings', '```\nopen'), 'the section "Key results" is gone: is a block of code left open'],
  [edit('Worklog', 'Diary\n===='), 'there is a section "Diary"'],
])('%j changes nothing and is refused with the reason', (call, reason) => {
  const { content: before } = editNotes(empty, [edit('Worklog', 'two two')], settings)
  const { content, applied, refused } = editNotes(before, [call], settings)
  expect(content).toBe(before)
  expect(applied).toBe(0)
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatchObject({ place: 1, reason: expect.stringContaining(reason) })
})

test('a refused call does not keep the others from being carried out', () => {
  const { content, applied, refused } = editNotes(empty, [edit('Worklog', 'a'), { tool: 'read' }, edit('Title', 'b')], settings)
  expect([applied, refused.map(({ place }) => place)]).toEqual([2, [2]])
  expect([bodyIn(content, 'Worklog'), bodyIn(content, 'Title')]).toEqual(['a', 'b'])
})

test('a model that repeats itself is stopped, and told so', () => {
  const { applied, refused } = editNotes(
    empty,
    Array.from({ length: maxNotesCalls + 5 }, () => edit('Worklog', 'a')),
    settings,
  )
  expect(applied).toBe(maxNotesCalls)
  expect(refused).toEqual([
    { place: maxNotesCalls + 1, reason: `only the first ${maxNotesCalls} calls are carried out, and there were ${maxNotesCalls + 5}` },
  ])
})

test("a person's own section stays through an edit", () => {
  const { content } = editNotes(`${empty}\n# Mine\n\nkeep\n`, [edit('Worklog', 'a')], settings)
  expect(content).toContain('# Mine\n\nkeep\n')
})

const text = fc
  .array(
    fc.constantFrom(
      '- a',
      '# Worklog',
      '## sub',
      '```',
      '~~~',
      '===',
      '---',
      '',
      'words',
      '<div>',
      '<!--',
      '> q',
      '    code',
      '_What was done, step by step, a short line each._',
      '1. x',
      '\t# t',
      '\u2028',
      '[a]: b',
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'))
const anyCall = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      tool: fc.constant('edit'),
      section: fc.constantFrom(...settings.template.map(({ heading }) => heading)),
      old: fc.constantFrom('', '', '- a', '\n', 'words'),
      text,
    }),
  },
  { weight: 1, arbitrary: fc.anything() },
)

test('whatever is called, the page keeps its structure, and every call is either carried out or refused', () => {
  fc.assert(
    fc.property(fc.array(anyCall, { maxLength: 8 }), (calls) => {
      const { content, applied, refused } = editNotes(empty, calls, settings)
      expect(faultOf(content, settings.template)).toBeUndefined()
      expect(applied + refused.length).toBe(calls.length)
    }),
    { numRuns: runs(150) },
  )
})
