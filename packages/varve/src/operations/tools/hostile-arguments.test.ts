import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForTest } from '../../../../../test/fixtures/memory/open.ts'

/** More than a pattern that goes back can hold on its stack: that ends at 4,194,304 signs. */
const length = 5_000_000

// A process that has compiled many patterns compiles the next ones so, and they go back at each sign.
beforeAll(() => setFlagsFromString('--no-regexp-optimization'))
afterAll(() => setFlagsFromString('--regexp-optimization'))

const texts: Readonly<Record<string, string>> = {
  letters: 'a'.repeat(length),
  'a ref of letters': `fact:${'a'.repeat(length)}`,
  colons: ':'.repeat(length),
  blanks: `x${' '.repeat(length)}x`,
  'new lines': `x${'\n'.repeat(length)}x`,
  'blanks and new lines': `x${' \n'.repeat(length / 2)}x`,
}

/** The texts of each tool, by field; the other fields are as a call needs them. */
const calls: readonly (readonly [tool: string, field: string, others: object])[] = [
  ['memory_recall', 'query', {}],
  ['memory_recall', 'from', { query: 'x' }],
  ['memory_context', 'query', {}],
  ['memory_remember', 'note', {}],
  ['memory_remember', 'topic', { note: 'x' }],
  ['memory_remember', 'instruction', {}],
  ['memory_remember', 'predicate', { object: 'x' }],
  ['memory_remember', 'object', { predicate: 'x' }],
  ['memory_edit', 'ref', { text: 'x' }],
  ['memory_edit', 'text', { ref: 'document:page' }],
  ['memory_edit', 'old', { ref: 'document:page', text: 'x' }],
  ['memory_edit', 'version', { ref: 'document:page', text: 'x' }],
  ['memory_forget', 'confirm', { refs: ['block:plan'] }],
]

test.each(Object.entries(texts))(
  'five million signs in any argument are answered in words, and not in the argument’s: %s',
  async (_, text) => {
    const ada = (await openForTest({ embeddingModel: false, languageModel: false })).for('ada')
    await ada.documents.edit('page', '- a line')
    await ada.blocks.set('plan', 'See the pier.')
    const tools = new Map(Object.entries(ada.tools()))
    const told: Record<string, unknown> = {}
    for (const [name, field, others] of calls) told[`${name} ${field}`] = await tools.get(name)?.execute({ ...others, [field]: text })
    told['memory_forget refs'] = await ada.tools().memory_forget.execute({ refs: [text] })
    told['a field'] = await ada.tools().memory_recall.execute({ query: 'x', [text]: 'x' })
    for (const [call, answer] of Object.entries(told)) {
      expect(answer, call).toBeTypeOf('object')
      expect(JSON.stringify(answer).length, call).toBeLessThan(2_000)
    }
  },
)
