import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { roughTokens } from './rough-tokens.ts'

const texts = {
  English: 'I moved to Hven last week and the ferry leaves at nine, can you remind me tomorrow to buy a ticket? ',
  German: 'Ich bin gestern mit der Fähre nach Hven gefahren und habe den ganzen Nachmittag am Hafen verbracht. ',
  Chinese: '我昨天坐渡轮去了海边，整个下午都在港口度过，后来开始下雨了。',
  code: 'export function pathOf(url: string): string {\n  const from = url.indexOf("/", url.indexOf("://") + 3)\n}\n',
  JSON: '{"id":17,"name":"ferry","seats":[1,2,3],"leaves":"2026-01-05T09:00:00Z","isFull":false},\n',
}

test.each(Object.entries(texts))('the tokens of %s are estimated within a quarter or so', (_, text) => {
  const content = text.repeat(40)
  const ratio = roughTokens({ role: 'user', content }) / countTokens(content)
  expect(ratio).toBeGreaterThan(0.7)
  expect(ratio).toBeLessThan(1.3)
})

test('data in base64 and bytes are not counted as words, and the inputs and outputs of tools are', () => {
  const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(10_000)}`
  expect(roughTokens({ role: 'user', content: [{ type: 'image', image: picture }] })).toBeLessThan(1_000)
  expect(roughTokens({ role: 'user', content: [{ type: 'file', data: new Uint8Array(100_000) }] })).toBeLessThan(10)
  const output = { type: 'json', value: { found: 'the ferry '.repeat(100) } }
  expect(roughTokens({ role: 'tool', content: [{ type: 'tool-result', output }] })).toBeGreaterThan(200)
})
