import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { PromptCache } from '../fixtures/proxy/prompt-cache.ts'
import { proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import { chatAnswer, jsonAnswer, scriptedUpstream, type UpstreamAnswer, type UpstreamRequest } from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })

type Params = Omit<Anthropic.MessageCreateParamsNonStreaming, 'model' | 'max_tokens' | 'messages'>
type Blocks = Anthropic.ContentBlockParam[]

interface Way {
  /** What the host sends beside its messages. */
  readonly params: Params
  /** How the host marks its messages. */
  readonly mark?: (messages: Anthropic.MessageParam[]) => Anthropic.MessageParam[]
}

const ephemeral = { type: 'ephemeral' as const }
const tools: Anthropic.Tool[] = [{ name: 'hours', input_schema: { type: 'object', properties: {} } }]

function blocksOf({ content }: Anthropic.MessageParam): Blocks {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Marks the last block of the newest messages of the user, as agents do. */
function rolling(messages: Anthropic.MessageParam[], most: number): Anthropic.MessageParam[] {
  const marked = new Set(messages.filter(({ role }) => role === 'user').slice(-most))
  return messages.map((message) => {
    if (!marked.has(message) || message.role !== 'user') return message
    const content = blocksOf(message).map((block, at, all) => (at === all.length - 1 ? { ...block, cache_control: ephemeral } : block))
    return { role: 'user', content }
  })
}

const ways: Record<string, Way> = {
  'a mark at the top': { params: { cache_control: ephemeral } },
  'a mark of an hour at the top': { params: { cache_control: { type: 'ephemeral', ttl: '1h' }, system: 'Be brief.' } },
  'a mark at the top, and one on the system’s words and the tools': {
    params: {
      cache_control: ephemeral,
      system: [{ type: 'text', text: 'Be brief.', cache_control: ephemeral }],
      tools: [{ ...tools[0], name: 'hours', input_schema: { type: 'object' }, cache_control: ephemeral }],
    },
  },
  'a mark at the top, and the same one on the newest message': {
    params: { cache_control: ephemeral },
    mark: (messages) => rolling(messages, 1),
  },
  'a mark that moves with the newest message': { params: { tools, system: 'Be brief.' }, mark: (messages) => rolling(messages, 1) },
  'marks on the two newest messages': { params: { system: 'Be brief.' }, mark: (messages) => rolling(messages, 2) },
  'a mark on the system’s words alone': { params: { system: [{ type: 'text', text: 'Be brief.', cache_control: ephemeral }] } },
}

interface Talked {
  readonly requests: readonly UpstreamRequest[]
  readonly ada: UserMemory
}

/** Talks for some turns. The memory changes between them. `toolCalls` are made within each turn. */
async function talked({ params, mark = (messages) => messages }: Way, memory: 'on' | 'off', toolCalls: readonly number[]): Promise<Talked> {
  const ada = shared.user()
  const { url, requests } = await scriptedUpstream(() =>
    jsonAnswer({ id: 'msg', type: 'message', role: 'assistant', content: [], usage: {} }),
  )
  const server = await proxyServer({ anthropic: { url } })
  const apiKey = server.key('vk-ada', scopeOf(ada))
  const defaultHeaders = { 'varve-session': 's', 'varve-memory': memory }
  const client = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0, defaultHeaders })
  const messages: Anthropic.MessageParam[] = []
  const send = async () => {
    await client.messages.create({ model: 'm', max_tokens: 9, ...params, messages: mark(messages) })
    await server.proxy.settled()
  }
  for (const [turn, calls] of toolCalls.entries()) {
    await ada.append(`past ${turn}`, { role: 'user', content: `On day ${turn} the kiosk sold cake number ${turn}.` })
    messages.push({ role: 'user', content: `What did the kiosk sell on day ${turn}?` })
    await send()
    for (let call = 0; call < calls; call += 1) {
      const id = `t${turn}-${call}`
      messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'hours', input: {} }] })
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ten' }] })
      await send()
    }
    messages.push({ role: 'assistant', content: `Cake number ${turn}.` })
  }
  return { requests, ada }
}

const plainTurns = [0, 0, 0, 0, 0, 0]

describe('Anthropic’s prompt cache', () => {
  for (const [name, way] of Object.entries(ways))
    test(`${name}: each turn reads as much as without memory`, async () => {
      const [withMemory, without] = [await talked(way, 'on', plainTurns), await talked(way, 'off', plainTurns)]
      expect(withMemory.requests.map(({ text }) => text.match(/<memory mark/g)?.length)).toEqual(plainTurns.map(() => 1))
      const [cache, plainCache] = [new PromptCache(), new PromptCache()]
      const reads = withMemory.requests.map(({ text }) => cache.take(text))
      expect(reads).toEqual(without.requests.map(({ text }) => plainCache.take(text)))
    })

  test('a turn with tools reads all of its earlier calls, and the next turn all up to the last question', async () => {
    const reads = async (way: Way, calls: number): Promise<(number | string)[]> => {
      const cache = new PromptCache()
      const { requests } = await talked(way, 'on', [0, calls, 0, calls, 0])
      return requests.map(({ text }) => cache.take(text))
    }
    const atTop = { params: { cache_control: ephemeral, system: 'Be brief.' } }
    const moving: Way = { params: { system: 'Be brief.' }, mark: (messages) => rolling(messages, 1) }
    // In order: a question; a question with its calls, twice each. The context of a turn goes with it.
    for (const way of [atTop, moving]) expect(await reads(way, 2)).toEqual([0, 2, 4, 7, 4, 10, 12, 15, 12])
    // More calls than a mark looks back over.
    const long = await reads(atTop, 15)
    expect([long.slice(1, 4), long[16], long[17], long[18], long.at(-1)]).toEqual([[2, 4, 7], 33, 4, 36, 38])
  })

  test('a mark at the top: the question keeps its pictures and results of tools, and a null or an empty part does no harm', async () => {
    const ada = shared.user()
    await ada.append('past', { role: 'user', content: 'On day 1 the kiosk sold cake.' })
    const { url, requests } = await scriptedUpstream(() => jsonAnswer({ content: [] }))
    const server = await proxyServer({ anthropic: { url } })
    const client = new Anthropic({ apiKey: server.key('vk-ada', scopeOf(ada)), baseURL: server.url, maxRetries: 0 })
    const words = { type: 'text' as const, text: 'What did the kiosk sell on day 1?' }
    const picture = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/a.png' } }
    const empty = { type: 'text' as const, text: '' }
    const memory = { type: 'text', text: expect.stringMatching(/^<memory mark[^]*<\/memory mark="[\da-f]{16}">$/) }
    const hour = { type: 'ephemeral' as const, ttl: '1h' as const }
    const cases: [Blocks, object[]][] = [
      [
        [words, picture],
        [words, { ...picture, cache_control: hour }, memory],
      ],
      [
        [words, empty],
        [{ ...words, cache_control: hour }, empty, memory],
      ],
      [[{ ...words, cache_control: null }], [{ ...words, cache_control: hour }, memory]],
      [
        [picture, { ...words, cache_control: hour }],
        [picture, { ...words, cache_control: hour }, memory],
      ],
    ]
    for (const [content, sent] of cases) {
      await client.messages.create({ model: 'm', max_tokens: 9, cache_control: hour, messages: [{ role: 'user', content }] })
      const { messages, ...rest } = JSON.parse(requests.at(-1)?.text ?? '')
      expect(messages).toEqual([{ role: 'user', content: sent }])
      expect(rest).toEqual({ model: 'm', max_tokens: 9, cache_control: null })
    }
    // Nothing is put in: the mark stays where it was.
    await client.messages.create(
      { model: 'm', max_tokens: 9, cache_control: hour, messages: [{ role: 'user', content: [words] }] },
      { headers: { 'varve-memory': 'off' } },
    )
    expect(JSON.parse(requests.at(-1)?.text ?? '')).toMatchObject({ cache_control: hour, messages: [{ content: [words] }] })
  })
})

describe('OpenAI’s prompt cache', () => {
  const turns = [0, 1, 2, 3, 4]

  async function reached(): Promise<{ readonly ada: UserMemory; readonly client: OpenAI; readonly requests: readonly UpstreamRequest[] }> {
    const ada = shared.user()
    const { url, requests } = await scriptedUpstream(({ url: path }, place): UpstreamAnswer => {
      const content = [{ type: 'output_text', text: `Cake ${place}.`, annotations: [] }]
      const output = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content }]
      return path.endsWith('/responses') ? jsonAnswer({ id: `resp_${place}`, object: 'response', output }) : chatAnswer(`Cake ${place}.`)
    })
    const server = await proxyServer({ openai: { url } })
    const apiKey = server.key('vk-ada', scopeOf(ada))
    for (const turn of turns)
      await ada.append(`past ${turn}`, { role: 'user', content: `On day ${turn} the kiosk sold cake number ${turn}.` })
    return { ada, requests, client: new OpenAI({ apiKey, baseURL: `${server.url}/v1`, defaultHeaders: { 'varve-session': 's' } }) }
  }

  /** All bytes up to the newest mark come again in the next request, and the remembered text stands behind it. */
  function expectSamePrefixes(requests: readonly UpstreamRequest[]): void {
    expect(requests).toHaveLength(turns.length)
    for (const [at, { text }] of requests.entries()) {
      const marked = text.slice(0, text.lastIndexOf('"prompt_cache_breakpoint"'))
      expect(text.indexOf('<memory mark')).toBeGreaterThan(marked.length)
      expect(requests[at + 1]?.text.startsWith(marked) ?? true).toBe(true)
    }
  }

  const mark = { prompt_cache_breakpoint: { mode: 'explicit' as const } }

  test('chat completions: what stands before a marked part comes again, byte by byte', async () => {
    const { client, requests } = await reached()
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.', ...mark }] }]
    for (const turn of turns) {
      messages.push({ role: 'user', content: [{ type: 'text', text: `What did the kiosk sell on day ${turn}?`, ...mark }] })
      const { choices } = await client.chat.completions.create({ model: 'm', messages })
      messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
    }
    expectSamePrefixes(requests)
  })

  test('responses: what stands before a marked part comes again, byte by byte', async () => {
    const { client, requests } = await reached()
    const input: OpenAI.Responses.ResponseInputItem[] = []
    for (const turn of turns) {
      input.push({ role: 'user', content: [{ type: 'input_text', text: `What did the kiosk sell on day ${turn}?`, ...mark }] })
      const { output_text: said } = await client.responses.create({ model: 'm', input, store: false })
      input.push({ role: 'assistant', content: said })
    }
    expectSamePrefixes(requests)
  })
})
