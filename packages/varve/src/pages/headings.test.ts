import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { type Heading, headingsOf } from './headings.ts'
import { runs } from '../testing/runs.ts'

const numRuns = runs(300) * 5

/** Markup within a line does not matter here. */
const inline = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
]

/**
 * The lines of a generated page. A parser of markdown reads three things differently from the specification, so those
 * have tests of their own: see below.
 */
const lines = [
  '# a',
  '## b',
  ' # c',
  '   ### d',
  '#f',
  '#',
  '# g ##',
  'x',
  'y z',
  '',
  '',
  ' ',
  '```',
  '~~~',
  '  ```',
  '- i',
  '- # i',
  '* j',
  '1. k',
  '2. l',
  '10) m',
  '-',
  '+',
  '> q',
  '> # r',
  '>',
  '> ```',
  '>> s',
  '===',
  '---',
  '--',
  '=',
  '- - -',
  '***',
  '<div>',
  '</div>',
  '<!-- c',
  '-->',
  '<pre>',
  '<?p',
  '?>',
  '<!X',
  '  x',
  '-\tx',
  '- \tx',
  ' - n',
  '  - n',
  '   - n',
  '  # n',
  '- ```',
  '1.  o',
  '> - p',
  '- > t',
  '`x`',
  '``` a',
  '```a`',
  '\\# x',
  '&gt;',
  '_ _ _',
  '<![CDATA[',
  ']]>',
  '- <div>',
  '> <div>',
  '-     x',
  '1.\tx',
  '# a\\',
  '#\tb',
  '# c #\t',
]

function parsed(content: string): Heading[] {
  return fromMarkdown(content, { extensions: [{ disable: { null: inline } }] }).children.flatMap((node) => {
    if (node.type !== 'heading' || node.position === undefined) return []
    const text = node.children.map((child) => (child.type === 'text' ? child.value : ' ')).join('')
    return {
      heading: text.replaceAll(/\s+/g, ' ').trim(),
      depth: node.depth,
      from: node.position.start.line,
      headingTo: node.position.end.line,
    }
  })
}

test('the headings of a page are those that a parser of markdown finds', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 9 }), (some) => {
      expect(headingsOf(some.join('\n'))).toEqual(parsed(some.join('\n')))
    }),
    { numRuns },
  )
})

const shown = (content: string): string[] =>
  headingsOf(content).map(({ heading, depth, from, headingTo }) => `${depth} ${heading} ${from}-${headingTo}`)

test('what stands before an underlined heading and only says where links go is no part of it', () => {
  expect(shown('[a]: b "t"\nx\n---')).toEqual(['2 x 2-3'])
  expect(shown('[a]: b\n---\n# c')).toEqual(['1 c 3-3'])
  expect(shown('[a]: b\n[c]:\n  <d>\n===\ne\n=')).toEqual(['1 === e 4-6'])
})

test('an empty item after a block of code begins a list', () => {
  expect(shown('    x\n-\n---')).toEqual([])
})

test('a tag alone goes on with a paragraph, also with one of a list that it is not set into', () => {
  expect(shown('- x\n<b>\ny\n===')).toEqual([])
  expect(shown('x\n<b>\n===')).toEqual(['1 x <b> 1-3'])
})
