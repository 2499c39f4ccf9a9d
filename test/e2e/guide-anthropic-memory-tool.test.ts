import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { expect, test } from 'vitest'
import { memoryTool } from '../../packages/varve/src/integrations/anthropic/index.ts'
import { answer } from '../fixtures/guides/anthropic-memory-tool/answer.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { jsonAnswer, scriptedUpstream, typedStream, type UpstreamAnswer } from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

interface Block {
  readonly type: 'text' | 'tool_use'
  readonly text?: string
  readonly input?: object
}

const say = (text: string): Block => ({ type: 'text', text })
const use = (input: object): Block => ({ type: 'tool_use', input })
const path = '/memories/harbour.md'
const turns: readonly Block[] = [
  use({ command: 'view', path: '/memories' }),
  use({ command: 'create', path, file_text: 'The ferry leaves at nine.' }),
  use({ command: 'create', path, file_text: 'Again.' }),
  use({ command: 'str_replace', path, old_str: 'nine', new_str: 'ten' }),
  use({ command: 'view', path }),
  use({ command: 'view', path: '/etc/passwd' }),
  say('I noted it.'),
]

function head(place: number) {
  return { id: `msg_${place}`, type: 'message', role: 'assistant', model: 'claude', usage: { input_tokens: 1, output_tokens: 1 } }
}

/** A model's answer in the wire format of Anthropic's messages: one object, or a stream. */
function reply({ type, text = '', input = {} }: Block, place: number, isStreamed: boolean): UpstreamAnswer {
  const stop = { stop_reason: type === 'text' ? 'end_turn' : 'tool_use', stop_sequence: null }
  const tool = { type, id: `toolu_${place}`, name: 'memory' }
  if (!isStreamed) return jsonAnswer({ ...head(place), ...stop, content: [type === 'text' ? { type, text } : { ...tool, input }] })
  const json = JSON.stringify(input)
  const deltas = type === 'text' ? [{ type: 'text_delta', text }] : [json.slice(0, 9), json.slice(9)].map(partial)
  return typedStream([
    { type: 'message_start', message: { ...head(place), content: [], stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: type === 'text' ? { type, text: '' } : { ...tool, input: {} } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ])
}

const partial = (json: string) => ({ type: 'input_json_delta', partial_json: json })

/** A client of a server on loopback that answers with these turns, and what the model was told of its calls. */
async function scripted(isStreamed: boolean) {
  const { url, requests } = await scriptedUpstream((_request, place) => reply(turns[place - 1] ?? say('end'), place, isStreamed))
  const client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 })
  const results = (): unknown[] => requests.slice(1).flatMap(({ text }) => JSON.parse(text).messages.at(-1).content)
  return { client, requests, results }
}

const told = [
  {
    content: "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n4K\t/memories",
  },
  { content: `File created successfully at: ${path}` },
  { content: `Error: File ${path} already exists`, is_error: true },
  {
    content:
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tThe ferry leaves at ten.',
  },
  { content: `Here's the content of ${path} with line numbers:\n     1\tThe ferry leaves at ten.` },
  { content: 'Error: Path must start with /memories, got: /etc/passwd', is_error: true },
]

test('the blocks of the guide are the code that is run here', () => {
  const blocks = [...read('../../docs/guides/anthropic-memory-tool.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const file = read('../fixtures/guides/anthropic-memory-tool/answer.ts')
    .replace("'../../../../packages/varve/src/index.ts'", "'varve'")
    .replace("'../../../../packages/varve/src/integrations/anthropic/index.ts'", "'varve/anthropic'")
  expect(blocks).toEqual([file])
})

test('the SDK’s tool runner keeps files in Varve, and its model reads the SDK’s own words', async () => {
  const ada = shared.user()
  const { client, requests, results } = await scripted(false)
  expect(await answer(client, ada, 'monday', 'Note when the ferry leaves.')).toBe('I noted it.')
  expect(results()).toMatchObject(told)
  expect(JSON.parse(requests[0]?.text ?? '').tools).toEqual([{ type: 'memory_20250818', name: 'memory' }])
  expect(await ada.documents.read(path)).toMatchObject({ content: 'The ferry leaves at ten.', writer: 'claude', revision: 2 })
  expect((await ada.messages('monday')).map(({ content }) => content)).toEqual(['Note when the ferry leaves.', 'I noted it.'])
})

test('a streamed run does the same', async () => {
  const ada = shared.user()
  const { client, results } = await scripted(true)
  const runner = client.beta.messages.toolRunner({
    model: 'claude',
    max_tokens: 500,
    stream: true,
    messages: [{ role: 'user', content: 'Note when the ferry leaves.' }],
    tools: [betaMemoryTool(memoryTool(ada))],
  })
  for await (const stream of runner) await stream.finalMessage()
  expect(results()).toMatchObject(told)
  expect(await ada.documents.read(path)).toMatchObject({ content: 'The ferry leaves at ten.', writer: 'memory-tool' })
})
