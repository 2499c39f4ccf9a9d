import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits } from './edits.ts'
import { linesOf } from './lines.ts'
import type { PageEdit } from './page-edit.ts'
import { runs } from '../testing/runs.ts'

const numRuns = runs(1_000)

const line = fc.oneof(
  fc.constantFrom('', 'a', '# A', '## B', '```', '- é🦊 "x"', '===', 'a\rb', '\u2028', ' \t'),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
)
const page = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, eol, isEnded]) => lines.map((text, place) => (place < lines.length - 1 || isEnded ? text + eol : text)).join(''))
const number = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.constantFrom(0, -1, 1.5, Number.NaN, 99))
const text = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
const lineEdit: fc.Arbitrary<PageEdit> = fc.oneof(
  fc.record({ tool: fc.constant('append' as const), text }),
  fc.record({ tool: fc.constant('replace_lines' as const), from: number, to: number, text }),
  fc.record({ tool: fc.constant('delete_lines' as const), from: number, to: number }),
)
const anyEdit: fc.Arbitrary<PageEdit> = fc.oneof(
  lineEdit,
  fc.record({ tool: fc.constant('append' as const), text, section: fc.constantFrom('A', 'B', 'C') }),
  fc.record({ tool: fc.constant('replace_section' as const), section: fc.constantFrom('A', 'B'), text }),
  fc.record({ tool: fc.constant('replace_text' as const), old: fc.oneof(line, text), text }),
  fc.record({ tool: fc.constant('replace_text' as const), old: line, text, section: fc.constantFrom('A', 'B') }),
)

const textsOf = (content: string): string[] => linesOf(content).map(({ start, end }) => content.slice(start, end))
const added = (edit: PageEdit): string[] => ('text' in edit ? edit.text.replace(/\n$/, '').split('\n') : [])

/** Applies the edits in the plain way: one by one from the bottom up, on an array of lines. */
function bottomUp(content: string, edits: readonly PageEdit[]): string[] {
  const lines = textsOf(content)
  const ranges = edits.map((edit) =>
    'from' in edit ? { from: edit.from, to: edit.to, edit } : { from: lines.length + 1, to: lines.length, edit },
  )
  for (const { from, to, edit } of ranges.toReversed().toSorted((a, b) => b.from - a.from))
    lines.splice(from - 1, to - from + 1, ...added(edit))
  return lines
}

/** Tells whether all ranges are lines of the page, and apart. */
function areSound(content: string, edits: readonly PageEdit[]): boolean {
  const count = linesOf(content).length
  const taken = new Set<number>()
  return edits.every((edit) => {
    if (edit.tool === 'append') return edit.text.trim() !== ''
    if (!('from' in edit)) return false
    if (
      ![edit.from, edit.to].every(Number.isInteger) ||
      edit.from < 1 ||
      edit.to > count ||
      edit.from > edit.to ||
      (edit.tool === 'replace_lines' && edit.text === '')
    )
      return false
    const own = Array.from({ length: edit.to - edit.from + 1 }, (_, step) => edit.from + step)
    const isFree = own.every((one) => !taken.has(one))
    own.forEach((one) => taken.add(one))
    return isFree
  })
}

test('edits by lines do what the same edits from the bottom up do, and are refused where a range is wrong or taken', () => {
  fc.assert(
    fc.property(page, fc.array(lineEdit, { maxLength: 4 }), (content, edits) => {
      const result = applyEdits(content, edits)
      expect('content' in result).toBe(areSound(content, edits))
      if ('content' in result) expect(textsOf(result.content)).toEqual(textsOf(withEnd(content, bottomUp(content, edits))))
    }),
    { numRuns },
  )
})

/** Joins lines, and ends them as another page does. */
function withEnd(content: string, lines: readonly string[]): string {
  const isOpen = content !== '' && !content.endsWith('\n')
  return lines.map((one, place) => (place < lines.length - 1 || !isOpen ? `${one}\n` : one)).join('')
}

test('untouched lines survive byte for byte, with what ends them', () => {
  fc.assert(
    fc.property(page, fc.array(lineEdit, { maxLength: 4 }), (content, edits) => {
      const result = applyEdits(content, edits)
      if (!('content' in result)) return
      const touched = new Set(
        edits.flatMap((edit) => ('from' in edit ? Array.from({ length: edit.to - edit.from + 1 }, (_, step) => edit.from + step) : [])),
      )
      let at = 0
      for (const [place, { start, end }] of linesOf(content).entries()) {
        if (touched.has(place + 1)) continue
        const found = result.content.indexOf(content.slice(start, end), at)
        expect(found).toBeGreaterThanOrEqual(at)
        at = found + end - start
      }
      const ends = new Set((content.match(/\r?\n/g) ?? ['\n']).concat(content === '' ? ['\n'] : []))
      for (const end of result.content.match(/\r?\n/g) ?? []) expect(ends.has(end)).toBe(true)
    }),
    { numRuns },
  )
})

test('whatever is asked for, the answer is a page or a reason for each refusal, of whole characters, and the same each time', () => {
  fc.assert(
    fc.property(page, fc.array(anyEdit, { maxLength: 5 }), (content, edits) => {
      const result = applyEdits(content, edits)
      expect(applyEdits(content, edits)).toEqual(result)
      if ('content' in result) expect(result.content.isWellFormed()).toBe(true)
      else {
        expect(result.refused.length).toBeGreaterThan(0)
        for (const { place, reason } of result.refused) expect([edits[place] !== undefined, reason.length > 0]).toEqual([true, true])
        const sound = edits.filter((_, place) => !result.refused.some((refused) => refused.place === place))
        expect(applyEdits(content, sound)).toHaveProperty('content')
      }
    }),
    { numRuns },
  )
})

test('edits that are apart do the same in whatever order they are called', () => {
  fc.assert(
    fc.property(
      page,
      fc.array(
        anyEdit.filter(({ tool }) => tool !== 'append'),
        { maxLength: 4 },
      ),
      (content, edits) => {
        const [forth, back] = [applyEdits(content, edits), applyEdits(content, edits.toReversed())]
        expect('content' in back).toBe('content' in forth)
        if ('content' in forth) expect(back).toEqual(forth)
      },
    ),
    { numRuns },
  )
})
