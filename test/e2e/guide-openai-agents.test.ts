import { readFileSync } from 'node:fs'
import { setTracingDisabled } from '@openai/agents-core'
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing'
import { expect, test } from 'vitest'
import { ask } from '../fixtures/guides/openai-agents/ask.ts'
import { openForTest } from '../fixtures/memory/open.ts'

setTracingDisabled(true)
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the block of the guide is the code that is run here', () => {
  const blocks = [...read('../../docs/guides/openai-agents.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const file = read('../fixtures/guides/openai-agents/ask.ts')
    .replace("'../../../../packages/varve/src/index.ts'", "'varve'")
    .replace("'../../../../packages/varve/src/integrations/openai-agents/index.ts'", "'varve/openai-agents'")
  expect(blocks).toEqual([file])
})

test('the agent of the guide knows on Tuesday what it was told on Monday', async () => {
  const memory = await openForTest()
  const model = new ScriptedModel([[assistantMessage('Noted.')], [assistantMessage('No sesame.')]])
  expect(await ask(memory, model, { user: 'ada', session: 'monday', words: 'Jule is allergic to sesame.' })).toBe('Noted.')
  expect(await ask(memory, model, { user: 'ada', session: 'tuesday', words: 'What is Jule allergic to?' }, 60_000)).toBe('No sesame.')
  expect(JSON.stringify(model.lastCall?.request.input)).toContain('Jule is allergic to sesame.')
})
