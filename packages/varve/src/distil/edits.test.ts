import { expect, test } from 'vitest'
import { Edits } from './edits.ts'
import type { DocumentEdit } from './pending-documents.ts'

const content = '# Boat\n- red\n'
const edit = (maxChars: number): DocumentEdit => ({
  ...{ page: 1, revision: 1, name: 'Boat', description: 'The boat.', content, maxChars, further: [], isQuoted: false },
  facts: [{ ids: [1], fact: 'The cat is called Pixel.', day: '2026-05-11' }],
})
const edits = new Edits({ key: '', read: () => expect.unreachable('an answer is read without the store') })
const whole = `${content}- 2026-05-11: The cat is called Pixel.\n`

test('an editor is told the characters that the document would have with the facts that it left out', () => {
  expect(edits.parse(edit(whole.length), { description: '', calls: [] })).toMatchObject({ content: whole })
  expect(edits.parse(edit(content.length + 3), { description: '', calls: [] })).toEqual({ tooLong: whole.length })
})
