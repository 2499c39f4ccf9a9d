import { gzipSync } from 'node:zlib'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import type { ProxyLimits } from '../../packages/varve/src/server/proxy/proxy-options.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, type ProxyServer, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import { chatAnswer, chatStream, scriptedUpstream, type UpstreamAnswer, type UpstreamRequest } from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })
const limits: ProxyLimits = {
  maxBodyBytes: 4_096,
  maxTokens: 2_000,
  mostTokens: 8_000,
  deadlineMs: 10_000,
  upstreamTimeoutMs: 20_000,
  captureDeadlineMs: 20_000,
}

interface Reached {
  readonly ada: UserMemory
  readonly server: ProxyServer
  readonly requests: readonly UpstreamRequest[]
  ask(body?: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>, path?: string): Promise<Response>
}

interface Options {
  readonly memory?: Pick<UserMemory, 'context' | 'append'>
  readonly limits?: Partial<ProxyLimits>
  readonly url?: string
}

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'When does the kiosk open?' }] })

async function reached(answer: UpstreamAnswer, options: Options = {}): Promise<Reached> {
  const ada = shared.user()
  const { url, requests } = await scriptedUpstream(() => answer)
  const upstream = { url: options.url ?? url, key: 'sk-upstream' }
  const server = await proxyServer({ openai: upstream, anthropic: upstream }, { limits: { ...limits, ...options.limits } })
  server.key('vk-ada', { ...scopeOf(ada), ...(options.memory === undefined ? {} : { memory: options.memory }) })
  const ask: Reached['ask'] = (given = body, headers = {}, path = '/v1/chat/completions') =>
    fetch(server.url + path, { method: 'POST', body: given, headers: { authorization: 'Bearer vk-ada', 'varve-session': 's', ...headers } })
  return { ada, server, requests, ask }
}

const never = (): Promise<never> => new Promise(() => undefined)

/** Memories that fail, and what a call is told of it. */
const failing: Record<string, { readonly memory: Pick<UserMemory, 'context' | 'append'>; readonly told: string }> = {
  rejects: {
    memory: { context: () => Promise.reject(new Error('secret words')), append: () => Promise.reject(new Error('x')) },
    told: 'memory-failed',
  },
  'never answers': { memory: { context: never, append: never }, told: 'memory-late' },
  'throws at once': {
    memory: {
      context: () => {
        throw new TypeError('secret words')
      },
      append: () => {
        throw new TypeError('secret words')
      },
    },
    told: 'memory-failed',
  },
}

describe('a call goes through as it came', () => {
  for (const [name, { memory, told }] of Object.entries(failing)) {
    test(`when memory ${name}`, async () => {
      const { server, requests, ask } = await reached(chatAnswer('At ten.'), { memory, limits: { deadlineMs: 50, captureDeadlineMs: 50 } })
      const response = await ask()
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(chatAnswer('At ten.').pieces[0])
      expect(response.headers.get('varve-degraded')).toBe(told)
      expect(requests[0]?.text).toBe(body)
      await server.proxy.settled()
      expect(server.proxy.counters()).toMatchObject({ degraded: 1, calls: 1, captured: 0, captureFailed: 1 })
    })
  }

  test('when the memory is closed: nothing is stored, and that is counted', async () => {
    const memory = await openForTest({ embeddingModel: false })
    const ada = memory.for('ada')
    await memory.close()
    const { server, requests, ask } = await reached(chatAnswer('At ten.'), { memory: ada })
    const response = await ask()
    expect([response.status, response.headers.get('varve-degraded')]).toEqual([200, 'memory-failed'])
    await response.text()
    await server.proxy.settled()
    expect(requests[0]?.text).toBe(body)
    expect(server.proxy.counters()).toMatchObject({ captured: 0, captureFailed: 1 })
    const turn = await fetch(`${server.url}/v1/turns/${response.headers.get('varve-turn')}`, {
      headers: { authorization: 'Bearer vk-ada' },
    })
    expect(await turn.json()).toMatchObject({ remembered: { status: 'failed', code: 'MEMORY_CLOSED' }, prompt: body })
  })

  for (const [name, given] of Object.entries({
    'no JSON': '{"messages": [',
    'a list': '[1,2]',
    'without messages': '{"model":"m"}',
    'with a number for messages': '{"messages":7}',
    'no UTF-8': Uint8Array.from([0x7b, 0xff, 0xfe]),
    'with a byte order mark': `\uFEFF${body}`,
    'nested deep': `{"messages":${'['.repeat(2_000)}${']'.repeat(2_000)},`,
  }))
    test(`when its body is ${name}: the upstream says what is wrong`, async () => {
      const { server, requests, ask } = await reached({ ...chatAnswer('x'), status: 400, pieces: ['{"error":"yours"}'] })
      const response = await ask(given)
      expect([response.status, await response.text()]).toEqual([400, '{"error":"yours"}'])
      expect(response.headers.get('varve-degraded')).toBe('body-unread')
      expect(requests[0]?.text).toBe(Buffer.from(given).toString())
      await server.proxy.settled()
      expect(server.proxy.counters()).toMatchObject({ captured: 0, captureFailed: 0, refused: 1 })
    })

  test('when its body is packed', async () => {
    const { requests, ask } = await reached(chatAnswer('x'))
    const packed = Uint8Array.from(gzipSync(body))
    expect((await ask(packed, { 'content-encoding': 'gzip' })).status).toBe(200)
    expect(requests[0]?.headers['content-encoding']).toBe('gzip')
    expect(requests[0]?.headers['content-length']).toBe(String(packed.length))
  })
})

describe('an upstream’s refusal is passed on as it is, and nothing is stored', () => {
  for (const [status, text] of [
    [429, '{"error":{"message":"slow down"}}'],
    [500, 'it fell over'],
    [503, ''],
    [401, '{"error":{"message":"no such key"}}'],
  ] as const)
    test(`${status}`, async () => {
      const headers = { 'content-type': 'application/json', 'retry-after': '17', 'x-request-id': 'r1' }
      const { ada, server, ask } = await reached({ status, headers, pieces: [text] })
      const response = await ask()
      expect([response.status, await response.text()]).toEqual([status, text])
      expect(Object.fromEntries(response.headers)).toMatchObject(headers)
      await server.proxy.settled()
      expect(await ada.messages('s')).toEqual([])
    })

  test('with a redirect, which is not followed', async () => {
    const { server } = await reached({ status: 307, headers: { location: '/elsewhere' }, pieces: [] })
    const headers = { authorization: 'Bearer vk-ada' }
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', redirect: 'manual', body, headers })
    expect([response.status, response.headers.get('location')]).toEqual([307, '/elsewhere'])
  })

  test('retried by the client: each message is stored once', async () => {
    const ada = shared.user()
    const { url } = await scriptedUpstream((_, place) =>
      place < 3 ? { status: 429, headers: { 'retry-after-ms': '1' }, pieces: ['{}'] } : chatAnswer('At ten.'),
    )
    const server = await proxyServer({ openai: { url } })
    const client = new OpenAI({ apiKey: server.key('vk-ada', scopeOf(ada)), baseURL: `${server.url}/v1`, maxRetries: 3 })
    const { choices } = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'When?' }] })
    expect(choices[0]?.message.content).toBe('At ten.')
    await server.proxy.settled()
    const [session] = await ada.sessions.list()
    expect(await heldIn(ada, session?.id ?? '')).toEqual(['user: When?', 'assistant: At ten.'])
  })
})

describe('odd answers come through byte by byte', () => {
  const half = 'data: {"choices":[{"index":0,"delta":{"content":"half an ev'
  const cutLetter = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"tén"}}]}\n\n')
  const answers: Record<string, { readonly answer: UpstreamAnswer; readonly stored: string | undefined }> = {
    'JSON that is none': { answer: { headers: { 'content-type': 'application/json' }, pieces: ['{"choices":[{"mes'] }, stored: undefined },
    'half an event': { answer: { headers: { 'content-type': 'text/event-stream' }, pieces: [half] }, stored: undefined },
    'a letter in two pieces, and events in one': {
      answer: {
        headers: { 'content-type': 'text/event-stream' },
        pieces: [cutLetter.subarray(0, 48), cutLetter.subarray(48), Buffer.concat([cutLetter, cutLetter])],
      },
      stored: 'ténténtén',
    },
    'carriage returns, comments and a lone line': {
      answer: {
        headers: { 'content-type': 'text/event-stream' },
        pieces: [': ping\r\n\r\n', 'event: x\r\ndata: {"choices":\r\ndata: [{"index":0,"delta":{"content":"hi"}}]}\r\n\r\n', 'junk\n'],
      },
      stored: 'hi',
    },
    'events that are no objects': {
      answer: {
        headers: { 'content-type': 'text/event-stream' },
        pieces: ['data: null\n\n', 'data: [1]\n\n', 'data: {"choices":{"0":1}}\n\n', 'data: {"choices":[null,7,{"delta":[]}]}\n\n'],
      },
      stored: undefined,
    },
    'plain text': { answer: { headers: { 'content-type': 'text/plain' }, pieces: ['well'] }, stored: undefined },
    bytes: {
      answer: { headers: { 'content-type': 'application/octet-stream' }, pieces: [Uint8Array.from({ length: 256 }, (_, at) => at)] },
      stored: undefined,
    },
    nothing: { answer: { headers: { 'content-type': 'application/json' }, pieces: [] }, stored: undefined },
  }
  for (const [name, { answer, stored }] of Object.entries(answers))
    test(`${name}`, async () => {
      const { ada, server, ask } = await reached(answer)
      const response = await ask()
      const bytes = answer.pieces.map((piece) => (piece instanceof Promise ? Buffer.alloc(0) : Buffer.from(piece)))
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat(bytes))
      await server.proxy.settled()
      const lines = ['user: When does the kiosk open?', ...(stored === undefined ? [] : [`assistant: ${stored}`])]
      expect(await heldIn(ada, 's')).toEqual(lines)
    })
})

describe('errors of the proxy’s own have the shape of the API', () => {
  const shapes = {
    '/v1/chat/completions': (code: string) => ({ error: { message: expect.any(String), type: expect.any(String), param: null, code } }),
    '/v1/responses': (code: string) => ({ error: { message: expect.any(String), type: expect.any(String), param: null, code } }),
    '/v1/messages': (code: string) => ({ type: 'error', error: { type: expect.any(String), message: expect.any(String), code } }),
  }
  for (const [path, shape] of Object.entries(shapes)) {
    test(`${path}: refused, silent, too large, bad headers`, async () => {
      const refused = await reached(chatAnswer('x'), { url: 'http://127.0.0.1:1' })
      const unreachable = await refused.ask(body, {}, path)
      expect([unreachable.status, await unreachable.json()]).toEqual([502, shape('upstream_unreachable')])
      expect(unreachable.headers.get('varve-turn')).not.toBeNull()
      const mute = await reached({ pieces: [], finish: 'mute' }, { limits: { upstreamTimeoutMs: 50 } })
      const silent = await mute.ask(body, {}, path)
      expect([silent.status, await silent.json()]).toEqual([504, shape('upstream_timeout')])
      const tooLarge = await mute.ask(' '.repeat(5_000), {}, path)
      expect([tooLarge.status, await tooLarge.json()]).toEqual([413, shape('request_too_large')])
      for (const header of [
        { 'varve-memory': 'none' },
        { 'varve-max-tokens': '-1' },
        { 'varve-max-tokens': '1e9' },
        { 'varve-session': '..' },
      ]) {
        const response = await mute.ask(body, header, path)
        expect([response.status, await response.json()]).toEqual([400, shape('invalid_header')])
      }
      expect(mute.requests).toHaveLength(1)
    })
  }

  test('a format without an upstream is refused', async () => {
    const server = await proxyServer({})
    server.key('vk-ada', scopeOf(shared.user()))
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body, headers: { 'x-api-key': 'vk-ada' } })
    expect([response.status, await response.json()]).toMatchObject([501, { type: 'error', error: { code: 'no_upstream' } }])
  })
})

test('a body that comes in pieces and tells no length is refused at the bound', async () => {
  const { server, requests } = await reached(chatAnswer('x'))
  const stream = ReadableStream.from(Array.from({ length: 6 }, () => new Uint8Array(1_024)))
  const headers = { authorization: 'Bearer vk-ada' }
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: stream, duplex: 'half', headers })
  expect(response.status).toBe(413)
  expect(requests).toEqual([])
})

test('an upstream that falls silent within its answer is cut, and what came is stored', async () => {
  const { ada, server, ask } = await reached(chatStream([{ content: 'At ' }, { content: 'ten' }], { finish: 'hang' }), {
    limits: { upstreamTimeoutMs: 100 },
  })
  const response = await ask()
  await expect(response.text()).rejects.toThrow('terminated')
  await server.proxy.settled()
  expect(await heldIn(ada, 's')).toEqual(['user: When does the kiosk open?', 'assistant: At ten'])
  expect(server.proxy.counters()).toMatchObject({ cut: 1 })
})

test('a client that leaves before the upstream answers ends the call upstream', async () => {
  const ada = shared.user()
  const { url, requests, left } = await scriptedUpstream(() => ({ pieces: [], finish: 'mute' }))
  const server = await proxyServer({ openai: { url } })
  server.key('vk-ada', scopeOf(ada))
  const controller = new AbortController()
  const asked = fetch(`${server.url}/v1/chat/completions`, {
    ...{ method: 'POST', body, signal: controller.signal },
    headers: { authorization: 'Bearer vk-ada' },
  })
  await expect.poll(() => requests.length).toBe(1)
  controller.abort()
  await expect(asked).rejects.toThrow('aborted')
  await left
  expect(await ada.sessions.list()).toEqual([])
})

test('a slow reader is not read ahead of: the upstream waits', async () => {
  const piece = `data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(65_536)}"}}]}\n\n`
  let sent = 0
  const { ask } = await reached({
    headers: { 'content-type': 'text/event-stream' },
    pieces: Array.from({ length: 400 }, () => piece),
    onPiece: () => void (sent += 1),
  })
  const response = await ask()
  const reader = response.body?.getReader()
  await reader?.read()
  let before = -1
  // Until the pieces that are under way stand still.
  const isStill = (): boolean => {
    const still = before === sent
    before = sent
    return still
  }
  await expect.poll(isStill, { interval: 200 }).toBe(true)
  expect(sent).toBeLessThan(300)
  await reader?.cancel()
})

test('statuses that are odd come through, or as 502, and the proxy can still be closed', async () => {
  for (const [status, told] of [
    [204, 204],
    [304, 304],
    [418, 418],
    [599, 599],
    [799, 502],
  ] as const) {
    const { server, ask } = await reached({ status, pieces: [] })
    const response = await ask()
    expect([response.status, await response.text()]).toEqual([told, ''])
    await server.proxy.settled()
  }
})

test('an event without an end is passed on and read no further than the bound', async () => {
  const piece = 'x'.repeat(1024 * 1024)
  const { ada, server, ask } = await reached({
    headers: { 'content-type': 'text/event-stream' },
    pieces: ['data: ', ...Array.from({ length: 12 }, () => piece)],
  })
  const response = await ask()
  expect((await response.arrayBuffer()).byteLength).toBe(6 + 12 * piece.length)
  await server.proxy.settled()
  expect(await heldIn(ada, 's')).toEqual(['user: When does the kiosk open?'])
})

test('a reply that is longer than the bound is stored up to it', async () => {
  const { ada, server, ask } = await reached(chatStream(Array.from({ length: 40 }, () => ({ content: 'a lot of words. '.repeat(1_000) }))))
  await (await ask()).text()
  await server.proxy.settled()
  const [, reply] = await ada.messages('s')
  expect(reply?.content.length).toBeGreaterThan(250_000)
  expect(reply?.content.length).toBeLessThan(270_000)
})

test('what no store takes is repaired before it is stored', async () => {
  const { ada, server, ask } = await reached(chatAnswer('yes \0 no \ud800 x'))
  await ask(
    JSON.stringify({
      messages: [
        { role: 'user', content: 'a\0b \udfff c' },
        { role: 'user', content: '' },
      ],
    }),
  )
  await server.proxy.settled()
  expect(await heldIn(ada, 's')).toEqual(['user: a\uFFFDb \uFFFD c', 'assistant: yes \uFFFD no \uFFFD x'])
})

test('an answer that is cut right behind its head is cut for the client too, and never looks whole', async () => {
  for (const headers of [{ 'content-type': 'text/event-stream' }, { 'content-type': 'application/json', 'content-length': '90' }]) {
    for (const pieces of [[], ['{"choi']]) {
      const { server, ask } = await reached({ headers, pieces, finish: 'cut' })
      const told = await ask().then(
        (response) => response.text().catch(() => 'cut'),
        () => 'cut',
      )
      expect(told).toBe('cut')
      await server.proxy.settled()
      expect(server.proxy.counters()).toMatchObject({ calls: 1, cut: 1 })
    }
  }
})
