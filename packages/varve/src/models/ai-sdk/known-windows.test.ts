import { expect, test } from 'vitest'
import { knownWindow } from './known-windows.ts'

test.each([
  ['gpt-5-mini', 256_000],
  ['openai/gpt-4o-2024-11-20', 128_000],
  ['gpt-4.1-nano', 256_000],
  ['o4-mini', 128_000],
  ['anthropic/claude-sonnet-4-5', 200_000],
  ['mistral-small-latest', 32_000],
  ['my-gpt-4o', undefined],
  ['qwen3:8b', undefined],
  ['', undefined],
])('%s', (model, window) => {
  expect(knownWindow(model)).toBe(window)
})
