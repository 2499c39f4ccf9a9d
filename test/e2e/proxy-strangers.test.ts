import { gzipSync, deflateSync, brotliCompressSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, type ProxyServer, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import {
  chatAnswer,
  chatStream,
  eventOf,
  jsonAnswer,
  scriptedUpstream,
  typedStream,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })
const asked = 'When does the kiosk open?'
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: asked }]
const sse = { 'content-type': 'text/event-stream' }

interface Reached {
  readonly ada: UserMemory
  readonly server: ProxyServer
  readonly openai: OpenAI
  readonly anthropic: Anthropic
  readonly requests: readonly UpstreamRequest[]
  readonly url: string
  /** What is held of the session, once all is stored. */
  held(): Promise<string[]>
}

async function reached(script: (request: UpstreamRequest, place: number) => UpstreamAnswer): Promise<Reached> {
  const ada = shared.user()
  const { url, requests } = await scriptedUpstream(script)
  const server = await proxyServer({ openai: { url, key: 'sk-up' }, anthropic: { url, key: 'sk-ant-up' } })
  const apiKey = server.key('vk-ada', scopeOf(ada))
  const options = { apiKey, maxRetries: 0, defaultHeaders: { 'varve-session': 's' } }
  return {
    ...{ ada, server, requests, url },
    openai: new OpenAI({ ...options, baseURL: `${server.url}/v1` }),
    anthropic: new Anthropic({ ...options, baseURL: server.url }),
    async held() {
      await server.proxy.settled()
      return heldIn(ada, 's')
    },
  }
}

async function turnOf(server: ProxyServer, response: Response): Promise<unknown> {
  const path = `${server.url}/v1/turns/${response.headers.get('varve-turn')}`
  return (await fetch(path, { headers: { authorization: 'Bearer vk-ada' } })).json()
}

describe('an upstream that packs its answer unasked: the client reads it, and it is remembered', () => {
  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  for (const [name, pack] of Object.entries(packers)) {
    test(`${name}, in one object`, async () => {
      const { openai, held } = await reached(() => {
        const bytes = pack(String(chatAnswer('At ten.').pieces[0]))
        return {
          headers: { 'content-type': 'application/json', 'content-encoding': name },
          pieces: [bytes.subarray(0, 30), bytes.subarray(30)],
        }
      })
      const { choices } = await openai.chat.completions.create({ model: 'm', messages })
      expect(choices[0]?.message.content).toBe('At ten.')
      expect(await held()).toEqual([`user: ${asked}`, 'assistant: At ten.'])
    })

    test(`${name}, as a stream`, async () => {
      const { openai, held } = await reached(() => {
        const bytes = pack(chatStream([{ content: 'At ' }, { content: 'tén.' }]).pieces.join(''))
        return { headers: { ...sse, 'content-encoding': name }, pieces: [bytes.subarray(0, 30), bytes.subarray(30)] }
      })
      const stream = await openai.chat.completions.create({ model: 'm', messages, stream: true })
      const heard = await Array.fromAsync(stream, ({ choices }) => choices[0]?.delta.content ?? '')
      expect(heard.join('')).toBe('At tén.')
      expect(await held()).toEqual([`user: ${asked}`, 'assistant: At tén.'])
    })
  }

  test('a packed stream that is cut: what came is remembered', async () => {
    const words = Array.from({ length: 400 }, (_, at) => ({ content: `word ${(at * 7919) % 1000} ` }))
    const { openai, held } = await reached(() => {
      const bytes = gzipSync(chatStream(words).pieces.join(''))
      return { headers: { ...sse, 'content-encoding': 'gzip' }, pieces: [bytes.subarray(0, bytes.length - 200)], finish: 'cut' }
    })
    const stream = await openai.chat.completions.create({ model: 'm', messages, stream: true })
    await expect(Array.fromAsync(stream)).rejects.toThrow('terminated')
    expect((await held())[1]).toMatch(/^assistant: word 0 word 919 word 838 /)
  })

  test('an answer that unpacks to more than the bound is passed on, and not read', async () => {
    const bytes = gzipSync(`${' '.repeat(64 * 1024 * 1024)}${String(chatAnswer('At ten.').pieces[0])}`)
    const { server, url, held } = await reached(() => ({
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      pieces: [bytes],
    }))
    expect(url).not.toBe(server.url)
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      ...{ method: 'POST', body: JSON.stringify({ messages }) },
      headers: { authorization: 'Bearer vk-ada', 'varve-session': 's' },
    })
    expect((await response.text()).trim()).toBe(chatAnswer('At ten.').pieces[0])
    expect(await held()).toEqual([`user: ${asked}`])
  })
})

describe('a stream that ends with an error counts as cut', () => {
  const body = { model: 'm', max_tokens: 9, stream: true, messages, input: asked }
  const streams: Record<string, UpstreamAnswer> = {
    '/v1/chat/completions': {
      headers: sse,
      pieces: [chatStream([{ content: 'At ' }]).pieces[0] ?? '', eventOf({ error: { message: 'overloaded', type: 'server_error' } })],
    },
    '/v1/messages': typedStream([
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'At ' } },
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]),
    '/v1/responses': typedStream([
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'At ' },
      { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'x' } } },
    ]),
  }
  for (const [path, answer] of Object.entries(streams))
    test(`on ${path}`, async () => {
      const { server, held } = await reached(() => answer)
      const headers = { authorization: 'Bearer vk-ada', 'varve-session': 's' }
      const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers })
      expect(await response.text()).toBe(answer.pieces.join(''))
      expect(await held()).toEqual([`user: ${asked}`, 'assistant: At '])
      expect(await turnOf(server, response)).toMatchObject({ status: 'cut', upstreamStatus: 200 })
      expect(server.proxy.counters()).toMatchObject({ cut: 1 })
    })

  test('Anthropic’s client gets the error, sends it again, and the message is stored once', async () => {
    const { anthropic, held } = await reached((_, place) =>
      place === 1 ? (streams['/v1/messages'] ?? { pieces: [] }) : jsonAnswer({ content: [{ type: 'text', text: 'At ten.' }] }),
    )
    const params = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: asked }] }
    await expect(Array.fromAsync(await anthropic.messages.create({ ...params, stream: true }))).rejects.toThrow('Overloaded')
    await held()
    await anthropic.messages.create(params)
    expect(await held()).toEqual([`user: ${asked}`, 'assistant: At ', 'assistant: At ten.'])
  })
})

const call = (id: string, place: string) => ({
  index: 0,
  id,
  type: 'function',
  function: { name: 'hours', arguments: `{"place":"${place}"}` },
})
const odd: Record<string, { readonly answer: UpstreamAnswer; readonly said: string }> = {
  'parallel tool calls that all have the index 0': {
    answer: chatStream([{ tool_calls: [call('c1', 'kiosk')] }, { tool_calls: [call('c2', 'pier')] }]),
    said: 'hours({"place":"kiosk"})\n\nhours({"place":"pier"})',
  },
  'parallel tool calls without an index': {
    answer: chatStream([
      { tool_calls: [{ ...call('c1', 'kiosk'), index: undefined }] },
      { tool_calls: [{ ...call('c2', 'pier'), index: undefined }] },
    ]),
    said: 'hours({"place":"kiosk"})\n\nhours({"place":"pier"})',
  },
  'a tool call whose id changes with each piece': {
    answer: chatStream([
      { tool_calls: [{ index: 0, id: 'c1', function: { name: 'hours', arguments: '{"place":' } }] },
      { tool_calls: [{ index: 0, id: 'c2', function: { arguments: '"kiosk"}' } }] },
    ]),
    said: 'hours({"place":"kiosk"})',
  },
  'a stream without a content type': { answer: { pieces: chatStream([{ content: 'At ten.' }]).pieces }, said: 'At ten.' },
  'a stream that says it is plain text': {
    answer: { ...chatStream([{ content: 'At ten.' }]), headers: { 'content-type': 'text/plain' } },
    said: 'At ten.',
  },
  'a content type in capitals': {
    answer: { ...chatStream([{ content: 'At ten.' }]), headers: { 'content-type': 'Text/Event-Stream' } },
    said: 'At ten.',
  },
  'spoken words, by their transcript': {
    answer: chatStream([{ audio: { id: 'audio_1', transcript: 'At ' } }, { audio: { transcript: 'ten.', data: 'AAAA' } }]),
    said: 'At ten.',
  },
  'lines that end with CR LF, pings and comments at the end': {
    answer: {
      headers: sse,
      pieces: [
        ...chatStream([{ content: 'At ten.' }]).pieces.map((piece) => String(piece).replaceAll('\n', '\r\n')),
        ': bye\r\n\r\n',
        ':\r\n',
      ],
    },
    said: 'At ten.',
  },
  'the usage in a last event without choices, and log probabilities': {
    answer: {
      headers: sse,
      pieces: [
        eventOf({
          choices: [{ index: 0, delta: { content: 'At ten.' }, logprobs: { content: [{ token: 'At', logprob: -1, top_logprobs: [] }] } }],
        }),
        eventOf({ choices: [], usage: { total_tokens: 3 } }),
        'data: [DONE]\n\n',
      ],
    },
    said: 'At ten.',
  },
  'several choices: the first is': {
    answer: {
      headers: sse,
      pieces: [1, 0, 1, 0].map((index, at) => eventOf({ choices: [{ index, delta: { content: `choice ${index} piece ${at}. ` } }] })),
    },
    said: 'choice 0 piece 1. choice 0 piece 3. ',
  },
}

describe('odd streams are remembered', () => {
  for (const [name, { answer, said }] of Object.entries(odd))
    test(`${name}`, async () => {
      const { openai, held, server } = await reached(() => answer)
      const response = await openai.chat.completions.create({ model: 'm', messages, stream: true, n: 2, logprobs: true }).asResponse()
      expect(await response.text()).toBe(answer.pieces.join(''))
      expect(await held()).toEqual([`user: ${asked}`, `assistant: ${said}`])
      expect(server.proxy.counters()).toMatchObject({ cut: 0, stopped: 0 })
    })

  test('spoken words in one object', async () => {
    const audio = { id: 'audio_1', data: 'AAAA', expires_at: 1, transcript: 'At ten.' }
    const { openai, held } = await reached(() => chatAnswer(null, { audio }))
    await openai.chat.completions.create({ model: 'm', messages, modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } })
    expect(await held()).toEqual([`user: ${asked}`, 'assistant: At ten.'])
  })
})

describe('requests of the clients go upstream as they are', () => {
  test('pictures, files and sounds: their bytes upstream, their names in memory', async () => {
    const { openai, held, requests } = await reached(() => chatAnswer('A kiosk.'))
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: 'text', text: asked },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(8_000_000)}` } },
      { type: 'file', file: { filename: 'plan.pdf', file_data: 'BBBB' } },
      { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
    ]
    await openai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] })
    expect(JSON.parse(requests[0]?.text ?? '').messages[0].content).toEqual(content)
    expect(await held()).toEqual([`user: ${asked}\n\n[file image_url]\n\n[file plan.pdf]\n\n[file input_audio]`, 'assistant: A kiosk.'])
  })

  test('Anthropic’s thinking with its signature, beta headers, and tokens counted', async () => {
    const { anthropic, held, requests } = await reached(({ url }) =>
      url.includes('count_tokens') ? jsonAnswer({ input_tokens: 7 }) : jsonAnswer({ content: [{ type: 'text', text: 'At ten.' }] }),
    )
    const history = [
      { role: 'user' as const, content: 'Hi.' },
      {
        role: 'assistant' as const,
        content: [
          { type: 'thinking' as const, thinking: 'hm', signature: 'EqQBCgIYAhIk' },
          { type: 'redacted_thinking' as const, data: 'zz' },
          { type: 'text' as const, text: 'Hello.' },
        ],
      },
      { role: 'user' as const, content: asked },
    ]
    await anthropic.beta.messages.create({ model: 'm', max_tokens: 9, betas: ['context-1m-2025-08-07'], messages: history })
    expect(JSON.parse(requests[0]?.text ?? '').messages).toEqual(history)
    expect(requests[0]?.headers['anthropic-beta']).toBe('context-1m-2025-08-07')
    expect(await held()).toEqual([`user: ${asked}`, 'assistant: At ten.'])
    expect(await anthropic.messages.countTokens({ model: 'm', messages: history })).toMatchObject({ input_tokens: 7 })
    expect(await held()).toHaveLength(2)
  })

  test('the list of models of both clients', async () => {
    const { openai, anthropic, requests } = await reached(() => jsonAnswer({ object: 'list', data: [{ id: 'm' }], has_more: false }))
    expect((await Array.fromAsync(openai.models.list())).map(({ id }) => id)).toEqual(['m'])
    expect((await Array.fromAsync(anthropic.models.list())).map(({ id }) => id)).toEqual(['m'])
    expect(requests.map(({ headers }) => headers.authorization ?? headers['x-api-key'])).toEqual(['Bearer sk-up', 'sk-ant-up'])
  })

  test('reasoning items that the host keeps, and tools in parallel', async () => {
    const { openai, held, requests } = await reached(() =>
      jsonAnswer({ id: 'resp_1', output: [{ type: 'message', content: [{ type: 'output_text', text: 'At ten.' }] }] }),
    )
    const input: OpenAI.Responses.ResponseInputItem[] = [
      { role: 'user', content: asked },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      ...['c1', 'c2'].map((call_id) => ({ type: 'function_call' as const, call_id, name: 'hours', arguments: '{}' })),
      ...['c1', 'c2'].map((call_id) => ({ type: 'function_call_output' as const, call_id, output: 'ten' })),
    ]
    await openai.responses.create({ model: 'm', input, store: false, include: ['reasoning.encrypted_content'], parallel_tool_calls: true })
    expect(JSON.parse(requests[0]?.text ?? '').input).toEqual(input)
    expect(await held()).toEqual(['tool: hours: ten', 'tool: hours: ten', 'assistant: At ten.'])
  })
})
