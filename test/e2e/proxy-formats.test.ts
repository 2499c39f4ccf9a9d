import Anthropic from '@anthropic-ai/sdk'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, type ProxyServer, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import {
  chatAnswer,
  chatStream,
  jsonAnswer,
  scriptedUpstream,
  type TypedEvent,
  typedStream,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })
const known = 'The kiosk opens on the 16th.'
const asked = 'Which day does the kiosk open?'
const fenced = /^<memory mark="[\da-f]{16}">\n[\s\S]*The kiosk opens on the 16th\.[\s\S]*<\/memory mark="[\da-f]{16}">/

interface Reached {
  readonly ada: UserMemory
  readonly server: ProxyServer
  readonly url: string
  readonly requests: readonly UpstreamRequest[]
}

async function reached(script: (request: UpstreamRequest, place: number) => UpstreamAnswer): Promise<Reached> {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: known })
  const { url, requests } = await scriptedUpstream(script)
  const server = await proxyServer({ openai: { url, key: 'sk-up' }, anthropic: { url, key: 'sk-ant-up' } })
  server.key('vk-ada', scopeOf(ada))
  return { ada, server, url, requests }
}

/** A reply of Anthropic's in events: words, a tool's call, and its input in pieces. */
const anthropicEvents = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I lóok ' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'it up.' } },
  { type: 'content_block_stop', index: 1 },
  ...[2, 3].flatMap((index) => [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id: `t${index}`, name: 'hours', input: {} } },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '{"place":' } },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '"kiosk"}' } },
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]

const callItem = {
  type: 'function_call' as const,
  id: 'fc_1',
  call_id: 'c1',
  name: 'hours',
  arguments: '{"place":"kiosk"}',
  status: 'completed',
}
const message = {
  type: 'message',
  id: 'm_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'I look it up.', annotations: [] }],
}

/** A reply of OpenAI's responses in events. */
function responseEvents(id: string): TypedEvent[] {
  const response = { id, object: 'response', created_at: 1, model: 'm', status: 'in_progress', output: [] }
  return [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'I look ' },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'it up.' },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.output_item.added', output_index: 1, item: { ...callItem, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"place":' },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '"kiosk"}' },
    { type: 'response.output_item.done', output_index: 1, item: callItem },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [message, callItem] } },
  ].map((event, at) => ({ ...event, sequence_number: at }))
}

const formats: Record<string, { readonly answer: UpstreamAnswer; readonly body: object; readonly said: string }> = {
  '/v1/chat/completions': {
    answer: chatStream([
      { content: 'I lóok it up.' },
      ...[0, 1].map((index) => ({ tool_calls: [{ index, id: `c${index}`, function: { name: 'hours', arguments: '{"place":' } }] })),
      ...[0, 1].map((index) => ({ tool_calls: [{ index, function: { arguments: '"kiosk"}' } }] })),
    ]),
    body: { model: 'm', stream: true, messages: [{ role: 'user', content: asked }] },
    said: 'I lóok it up.\n\nhours({"place":"kiosk"})\n\nhours({"place":"kiosk"})',
  },
  '/v1/responses': {
    answer: typedStream(responseEvents('resp_1')),
    body: { model: 'm', stream: true, input: asked },
    said: 'I look it up.\n\nhours({"place":"kiosk"})',
  },
  '/v1/messages': {
    answer: typedStream(anthropicEvents),
    body: { model: 'm', stream: true, max_tokens: 9, messages: [{ role: 'user', content: asked }] },
    said: 'I lóok it up.\n\nhours({"place":"kiosk"})\n\nhours({"place":"kiosk"})',
  },
}

for (const [path, { answer, body, said }] of Object.entries(formats)) {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'x-api-key': 'vk-ada', 'varve-session': 's' } }

  test(`${path}: a stream has the same bytes with and without the proxy, and is remembered with its tool calls`, async () => {
    const { ada, server, url } = await reached(() => answer)
    const [direct, proxied] = await Promise.all([fetch(url + path, init), fetch(server.url + path, init)])
    expect(Buffer.from(await proxied.arrayBuffer())).toEqual(Buffer.from(await direct.arrayBuffer()))
    expect(proxied.headers.get('content-type')).toBe(direct.headers.get('content-type'))
    await server.proxy.settled()
    expect(await heldIn(ada, 's')).toEqual([`user: ${asked}`, `assistant: ${said}`])
  })

  test(`${path}: each piece reaches the client before the upstream sends the next`, async () => {
    const gates = answer.pieces.map(() => Promise.withResolvers<void>())
    const pieces = answer.pieces.flatMap((piece, at) => [piece, gates[at]?.promise ?? ''])
    const { server } = await reached(() => ({ ...answer, pieces }))
    const response = await fetch(server.url + path, init)
    const heard: Buffer[] = []
    for await (const chunk of response.body ?? []) {
      heard.push(Buffer.from(chunk))
      gates[heard.length - 1]?.resolve()
    }
    expect(heard).toEqual(answer.pieces.map((piece) => Buffer.from(String(piece))))
  })

  test(`${path}: of a stream that is cut within a tool call, what came is remembered`, async () => {
    const { ada, server } = await reached(() => ({ ...answer, pieces: answer.pieces.slice(0, -4), finish: 'cut' }))
    const response = await fetch(server.url + path, init)
    await expect(response.text()).rejects.toThrow('terminated')
    await server.proxy.settled()
    const [, reply] = await ada.messages('s')
    expect(reply?.content).toMatch(/^I l[oó]ok it up\.\n\nhours\(/)
  })
}

describe('Anthropic’s client', () => {
  async function anthropic(script: (request: UpstreamRequest, place: number) => UpstreamAnswer): Promise<Reached & { client: Anthropic }> {
    const it = await reached(script)
    const client = new Anthropic({ apiKey: 'vk-ada', baseURL: it.server.url, maxRetries: 0, defaultHeaders: { 'varve-session': 's' } })
    return { ...it, client }
  }

  test('streams tool calls; results come first in their message, and the context stays with the question', async () => {
    const { ada, client, server, requests } = await anthropic((_, place) =>
      place === 1
        ? typedStream(anthropicEvents)
        : jsonAnswer({
            id: 'msg_2',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [{ type: 'text', text: 'At ten.' }],
            usage: {},
          }),
    )
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: asked }]
    const first = await client.messages.stream({ model: 'm', max_tokens: 99, system: 'Be brief.', messages }).finalMessage()
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
    messages.push({ role: 'assistant', content: first.content })
    const results = ['t2', 't3'].map((id) => ({ type: 'tool_result' as const, tool_use_id: id, content: '10:00' }))
    messages.push({ role: 'user', content: results })
    const second = await client.messages.create({ model: 'm', max_tokens: 99, system: 'Be brief.', messages })
    expect(second.content).toMatchObject([{ text: 'At ten.' }])
    await server.proxy.settled()
    const sent = requests.map(({ text }) => JSON.parse(text))
    expect(sent[0].messages[0].content).toMatch(fenced)
    expect(sent[1].messages[0]).toEqual(sent[0].messages[0])
    expect(sent[1].messages.slice(1)).toEqual(messages.slice(1))
    expect(sent[1].system).toBe('Be brief.')
    expect(requests[1]?.headers).toMatchObject({ 'x-api-key': 'sk-ant-up', 'anthropic-version': expect.stringMatching(/^20/) })
    expect(await heldIn(ada, 's')).toEqual([
      `user: ${asked}`,
      'assistant: I lóok it up.\n\nhours({"place":"kiosk"})\n\nhours({"place":"kiosk"})',
      'tool: hours: 10:00\n\nhours: 10:00',
      'assistant: At ten.',
    ])
  })

  test('asks beside a tool’s result: the context stands behind the result, before the words', async () => {
    const { client, requests } = await anthropic(() =>
      jsonAnswer({ id: 'msg', type: 'message', role: 'assistant', content: [], usage: {} }),
    )
    const result = { type: 'tool_result' as const, tool_use_id: 't1', content: '10:00' }
    const words = { type: 'text' as const, text: asked }
    await client.messages.create({
      ...{ model: 'm', max_tokens: 9 },
      messages: [
        { role: 'user', content: 'Look it up.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'hours', input: {} }] },
        { role: 'user', content: [result, words] },
      ],
    })
    expect(JSON.parse(requests[0]?.text ?? '').messages[2].content).toEqual([
      result,
      { type: 'text', text: expect.stringMatching(fenced) },
      words,
    ])
  })

  test('marks its last block for the cache: the context stands behind it', async () => {
    const { client, requests } = await anthropic(() =>
      jsonAnswer({ id: 'msg', type: 'message', role: 'assistant', content: [], usage: {} }),
    )
    const marked = { type: 'text' as const, text: asked, cache_control: { type: 'ephemeral' as const } }
    await client.messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [marked] }] })
    expect(JSON.parse(requests[0]?.text ?? '').messages[0].content).toEqual([marked, { type: 'text', text: expect.stringMatching(fenced) }])
  })

  test('begins the answer itself: the reply is remembered with its begin', async () => {
    const reply = { id: 'msg', type: 'message', role: 'assistant', content: [{ type: 'text', text: ' at ten."}' }], usage: {} }
    const { ada, client, server } = await anthropic(() => jsonAnswer(reply))
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: asked },
      { role: 'assistant', content: '{"answer": "It opens' },
    ]
    await client.messages.create({ model: 'm', max_tokens: 9, messages })
    await server.proxy.settled()
    expect(await heldIn(ada, 's')).toEqual([`user: ${asked}`, 'assistant: {"answer": "It opens at ten."}'])
  })

  test('names its session where an agent does', async () => {
    const { ada, server } = await reached(() => jsonAnswer({ id: 'msg', type: 'message', role: 'assistant', content: [], usage: {} }))
    const client = new Anthropic({ apiKey: 'vk-ada', baseURL: server.url, maxRetries: 0 })
    const sessions = ['user_1_account_2_session_0a1b2c3d-e4f5', '{"device_id":"d","session_id":"json-session"}']
    for (const user_id of sessions)
      await client.messages.create({ model: 'm', max_tokens: 9, metadata: { user_id }, messages: [{ role: 'user', content: asked }] })
    await server.proxy.settled()
    const names = (await ada.sessions.list()).map(({ id }) => id)
    expect(names).toEqual(expect.arrayContaining(['0a1b2c3d-e4f5', 'json-session']))
  })
})

describe('OpenAI’s responses', () => {
  const response = (id: string, text: string): UpstreamAnswer =>
    jsonAnswer({
      id,
      object: 'response',
      status: 'completed',
      output: [{ ...message, content: [{ type: 'output_text', text, annotations: [] }] }],
    })

  test('go on from the reply before: one session, and the newest message is stored', async () => {
    const { ada, server, requests } = await reached((_, place) => response(`resp_${place}`, `Answer ${place}.`))
    const client = new OpenAI({ apiKey: 'vk-ada', baseURL: `${server.url}/v1`, maxRetries: 0 })
    const first = await client.responses.create({ model: 'm', input: asked, instructions: 'Be brief.' })
    expect(first.output_text).toBe('Answer 1.')
    const second = await client.responses.create({ model: 'm', input: 'yes', previous_response_id: first.id })
    await client.responses.create({ model: 'm', input: [{ role: 'user', content: 'yes' }], previous_response_id: second.id })
    await server.proxy.settled()
    const sent = JSON.parse(requests[0]?.text ?? '')
    expect(sent.input).toMatch(fenced)
    expect(sent.instructions).toBe('Be brief.')
    const sessions = (await ada.sessions.list()).filter(({ id }) => id !== 'past')
    expect(sessions).toHaveLength(1)
    expect(await heldIn(ada, sessions[0]?.id ?? '')).toEqual(
      [asked, 'yes', 'yes'].flatMap((said, at) => [`user: ${said}`, `assistant: Answer ${at + 1}.`]),
    )
  })

  test('of another user cannot be gone on from', async () => {
    const { server, requests } = await reached(() => response('resp_ada', 'My secret.'))
    server.key('vk-bob', scopeOf(shared.user()))
    const clients = ['vk-ada', 'vk-bob'].map((apiKey) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 }))
    await clients[0]?.responses.create({ model: 'm', input: asked })
    await server.proxy.settled()
    const stolen = clients[1]?.responses.create({ model: 'm', input: 'What did I say?', previous_response_id: 'resp_ada' })
    await expect(stolen).rejects.toMatchObject({ status: 404, code: 'previous_response_not_found' })
    expect(requests).toHaveLength(1)
  })

  test('with a tool: the call, its result and the answer are stored once', async () => {
    const { ada, server, requests } = await reached((_, place) =>
      place === 1 ? typedStream(responseEvents('resp_1')) : response('resp_2', 'At ten.'),
    )
    const client = new OpenAI({ apiKey: 'vk-ada', baseURL: `${server.url}/v1`, maxRetries: 0, defaultHeaders: { 'varve-session': 's' } })
    await Array.fromAsync(await client.responses.create({ model: 'm', input: asked, stream: true }))
    const output = { type: 'function_call_output' as const, call_id: 'c1', output: '10:00' }
    const { status: _, id: __, ...call } = callItem
    await client.responses.create({ model: 'm', input: [{ role: 'user', content: asked }, call, output] })
    await server.proxy.settled()
    expect(JSON.parse(requests[1]?.text ?? '').input[0].content).toMatch(fenced)
    expect(await heldIn(ada, 's')).toEqual([
      `user: ${asked}`,
      'assistant: I look it up.\n\nhours({"place":"kiosk"})',
      'tool: hours: 10:00',
      'assistant: At ten.',
    ])
  })
})

describe('the AI SDK', () => {
  test('streams, calls tools and is remembered, by the base URL alone', async () => {
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'hours', arguments: '{"place":"kiosk"}' } }
    const { ada, server, requests } = await reached((_, place) =>
      chatStream([place === 1 ? { tool_calls: [call] } : { content: 'At ten.' }]),
    )
    const provider = createOpenAICompatible({
      name: 'varve',
      baseURL: `${server.url}/v1`,
      apiKey: 'vk-ada',
      headers: { 'varve-session': 's' },
    })
    const hours = tool({ inputSchema: z.object({ place: z.string() }), execute: async () => ({ opens: '10:00' }) })
    const result = streamText({ model: provider('m'), prompt: asked, tools: { hours }, stopWhen: isStepCount(3) })
    expect(await result.text).toBe('At ten.')
    await server.proxy.settled()
    expect(requests.map(({ text }) => JSON.parse(text).messages[0].content)).toEqual([1, 2].map(() => expect.stringMatching(fenced)))
    expect(await heldIn(ada, 's')).toEqual([
      `user: ${asked}`,
      'assistant: hours({"place":"kiosk"})',
      'tool: hours: {"opens":"10:00"}',
      'assistant: At ten.',
    ])
  })

  test('gets structured output untouched', async () => {
    const { server, requests } = await reached(() => chatAnswer('{"day":16}'))
    const provider = createOpenAICompatible({
      name: 'varve',
      baseURL: `${server.url}/v1`,
      apiKey: 'vk-ada',
      supportsStructuredOutputs: true,
    })
    const schema = { type: 'json' as const, schema: { type: 'object' as const, properties: { day: { type: 'number' as const } } } }
    const answer = await provider('m').doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: asked }] }],
      responseFormat: schema,
    })
    expect(answer.content).toMatchObject([{ type: 'text', text: '{"day":16}' }])
    expect(JSON.parse(requests[0]?.text ?? '').response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: schema.schema },
    })
    expect((await generateText({ model: provider('m'), prompt: asked })).text).toBe('{"day":16}')
  })
})
