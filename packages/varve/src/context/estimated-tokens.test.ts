import { expect, onTestFinished, test } from 'vitest'
import { loadTokenizer } from '../models/tokenizer.ts'
import { openMemory } from '../memory/memory.ts'
import { estimateTokenizer } from './estimated-tokens.ts'

const exact = await loadTokenizer()

const code = `export function* merged(spans: readonly Span[], { before, after }: Bounds): Program<readonly Span[]> {
  const rows = yield* readRows(spans.map(({ session }) => session))
  if (rows.length === 0) return []
  return rows.toSorted((one, other) => one.from - other.from).filter(({ to }) => to >= before && to <= after)
}
`

test.each([
  ['prose', 'A hook asks for the context of a prompt, and has 300 ms for it: everything that it loads is loaded anew.\n'.repeat(20)],
  ['code', code.repeat(10)],
  ['German', 'Die Fähre fährt am Donnerstag um neun Uhr von der Mole ab, außer an Feiertagen.\n'.repeat(20)],
  ['Japanese', '明日の朝、港から島へ行く船は九時に出ます。切符は窓口で買えます。\n'.repeat(20)],
])('estimated tokens are not fewer than the exact ones: %s', (_name, text) => {
  const [estimate, count] = [estimateTokenizer.count(text), exact.count(text)]
  expect(estimate).toBeGreaterThanOrEqual(count)
  expect(estimate).toBeLessThan(count * 2)
})

test('a memory that estimates tokens keeps a context within its budget', async () => {
  const memory = await openMemory({
    ...{ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false, tokenizer: 'estimate' },
  })
  onTestFinished(() => memory.close())
  const ada = memory.for('ada')
  const said = (place: number) => ({ role: 'user' as const, content: `Ferry ${place} leaves the northern pier at ${place} past nine.` })
  await ada.append(
    'monday',
    Array.from({ length: 40 }, (_, place) => said(place)),
  )
  const { text, tokens } = await ada.context({ query: 'When does the ferry leave?', maxTokens: 300 })
  expect(text).toContain('northern pier')
  expect(tokens).toBe(estimateTokenizer.count(text))
  expect(tokens).toBeLessThanOrEqual(300)
  expect(exact.count(text)).toBeLessThan(tokens)
})
