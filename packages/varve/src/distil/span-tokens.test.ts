import { expect, test } from 'vitest'
import { readLayersIn } from '../layers/all.ts'
import { bitOf, distilledLayers, privateBits } from '../storage/layers.ts'
import { mostAttributes } from '../tasks/known-attributes.ts'
import { tokensOf } from '../tasks/prompt.ts'
import { problems } from '../tasks/problem.ts'
import { retryPrompt } from '../tasks/retry-prompt.ts'
import { spanPrompt } from '../tasks/span-prompt.ts'
import { spanTokens, wholeWindow } from './span-tokens.ts'

/** Counts the tokens of a call beside its data: the prompt of another try, the known attributes, and the room for the answer. */
function besideData(layers: number): number {
  const tasks = readLayersIn(layers).map(({ reading }) => reading.task)
  const prompt = spanPrompt([], tasks, { mark: '0123456789abcdef', attributes: ['test command'] })
  return tokensOf(retryPrompt(prompt, problems.statement)) + mostAttributes.tokens + prompt.maxOutputTokens
}

test.each(distilledLayers)('a call for %s fits into a window of 4,096 tokens', (layer) => {
  expect(spanTokens(4_096) + besideData(bitOf(layer))).toBeLessThanOrEqual(4_096)
})

test('a call for all private layers fits into the least window that takes them all', () => {
  expect(spanTokens(wholeWindow) + besideData(privateBits)).toBeLessThanOrEqual(wholeWindow)
})
