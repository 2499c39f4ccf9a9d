import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answer as askAnthropic } from '../fixtures/guides/proxy/anthropic.ts'
import { answer as askOpenAi } from '../fixtures/guides/proxy/openai.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import { chatAnswer, scriptedUpstream, typedStream } from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const guide = read('../../docs/guides/proxy.md')
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code)

test('the TypeScript of the guide is the code that is run here', () => {
  expect(blocks('ts')).toEqual(['openai', 'anthropic'].map((name) => read(`../fixtures/guides/proxy/${name}.ts`)))
})

test('curl, TypeScript and Python send the same headers', () => {
  const calls = [blocks('sh')[1], ...blocks('ts'), ...blocks('python')]
  expect(calls).toHaveLength(4)
  for (const call of calls) for (const name of ['Varve-User', 'Varve-Session', 'ada', 'monday']) expect(call).toContain(name)
})

test('both clients are told what was said before, and are remembered', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { url, requests } = await scriptedUpstream(({ url }) =>
    url === '/v1/messages'
      ? typedStream([
          { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage: {} } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'The 16th.' } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
          { type: 'message_stop' },
        ])
      : chatAnswer('The 16th.'),
  )
  const server = await proxyServer({ openai: { url }, anthropic: { url } })
  const key = server.key('vk-ada', scopeOf(ada))
  for (const answer of [askOpenAi, askAnthropic]) {
    expect(await answer(server.url, key, 'When does the kiosk open?')).toBe('The 16th.')
    await server.proxy.settled()
  }
  for (const { text } of requests) expect(text).toContain('The kiosk opens on the 16th.')
  expect(await heldIn(ada, 'monday')).toEqual([1, 2].flatMap(() => ['user: When does the kiosk open?', 'assistant: The 16th.']))
})
