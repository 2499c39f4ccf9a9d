import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, type ProxyServer, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import { chatAnswer, chatStream, scriptedUpstream, type UpstreamAnswer, type UpstreamRequest } from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })

interface Talk {
  readonly ada: UserMemory
  readonly client: OpenAI
  readonly server: ProxyServer
  readonly requests: readonly UpstreamRequest[]
  readonly left: Promise<void>
}

/** A client of OpenAI's whose base URL is the proxy, and whose key is Varve's. */
async function talk(
  script: (request: UpstreamRequest, place: number) => UpstreamAnswer,
  headers: Record<string, string> = {},
): Promise<Talk> {
  const ada = shared.user()
  const { url, requests, left } = await scriptedUpstream(script)
  const server = await proxyServer({ openai: { url, key: 'sk-upstream' } })
  const apiKey = server.key('vk-ada', scopeOf(ada))
  const client = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0, defaultHeaders: headers })
  return { ada, client, server, requests, left }
}

type Messages = OpenAI.ChatCompletionMessageParam[]

const asked = { role: 'user' as const, content: 'Which day does the kiosk open?' }
const known = 'The kiosk opens on the 16th.'
const fenced = /^<memory mark="[\da-f]{16}">\n[\s\S]*The kiosk opens on the 16th\.[\s\S]*<\/memory mark="[\da-f]{16}">/

function sentMessages(request: UpstreamRequest | undefined): { role: string; content: unknown }[] {
  return JSON.parse(request?.text ?? '').messages
}

test('a client of OpenAI’s gets what was said before, and both sides are remembered', async () => {
  const { ada, client, server, requests } = await talk(() => chatAnswer('On the 16th.'), { 'varve-session': 'monday' })
  await ada.append('past', { role: 'user', content: known })
  const { data, response } = await client.chat.completions.create({ model: 'm', messages: [asked] }).withResponse()
  expect(data.choices[0]?.message.content).toBe('On the 16th.')
  expect(response.headers.get('varve-turn')).toMatch(/^[\da-f-]{36}$/)
  expect(response.headers.get('varve-degraded')).toBeNull()
  const sent = sentMessages(requests[0])
  expect(sent).toHaveLength(1)
  expect(sent[0]?.content).toMatch(fenced)
  expect(sent[0]?.content).toMatch(/>\n\nWhich day does the kiosk open\?$/)
  await server.proxy.settled()
  expect(await heldIn(ada, 'monday')).toEqual(['user: Which day does the kiosk open?', 'assistant: On the 16th.'])
})

test('all bytes of a request but the remembered text go upstream as they came', async () => {
  const { ada, server, requests } = await talk(() => chatAnswer('On the 16th.'))
  await ada.append('past', { role: 'user', content: known })
  const before =
    '{ "seed": 12345678901234567890,\n\t"x": 1.0, "messages":[{"role":"system","content":"Be br\\u0069ef \\" ]}"},\n {"content":"'
  const after = 'When \\ud83d\\ude00 does the kiosk open?","role":"user", "name":"ada"} ] , "odd":{"a":[1e2,null]}, "model":"m"  }'
  const response = await fetch(`${server.url}/v1/chat/completions?api-version=7`, {
    method: 'POST',
    body: before + after,
    headers: { authorization: 'Bearer vk-ada', 'content-type': 'application/json' },
  })
  expect(response.status).toBe(200)
  const { text, url } = requests[0] ?? { text: '', url: '' }
  expect(url).toBe('/v1/chat/completions?api-version=7')
  expect(text.startsWith(before)).toBe(true)
  expect(text.endsWith(after)).toBe(true)
  const memory = text.slice(before.length, -after.length)
  expect(JSON.parse(`"${memory}"`)).toMatch(fenced)
})

test('a message of parts gets the remembered text as a part of its own, and its pictures stay', async () => {
  const { ada, client, server, requests } = await talk(() => chatAnswer('A kiosk.'), { 'varve-session': 's' })
  await ada.append('past', { role: 'user', content: known })
  const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
  await client.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: [picture, { type: 'text', text: asked.content }] }],
  })
  const content = sentMessages(requests[0])[0]?.content
  expect(content).toEqual([{ type: 'text', text: expect.stringMatching(fenced) }, picture, { type: 'text', text: asked.content }])
  await server.proxy.settled()
  const [message] = await ada.messages('s')
  expect(message?.content).toBe(`[file image_url]\n\n${asked.content}`)
  expect(JSON.stringify(message)).not.toContain('AAAA')
})

test('behind a part that is marked for the prompt cache, and never before it', async () => {
  const { ada, client, requests } = await talk(() => chatAnswer('A kiosk.'))
  await ada.append('past', { role: 'user', content: known })
  const marked = { type: 'text' as const, text: asked.content, cache_control: { type: 'ephemeral' } }
  await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: [marked] }] })
  expect(sentMessages(requests[0])[0]?.content).toEqual([marked, { type: 'text', text: expect.stringMatching(fenced) }])
})

describe('a stream', () => {
  const words = ['On ', 'the ', '16th, ', 'at ', 'tén. 🦭']

  test('comes whole, and what it said is remembered', async () => {
    const { ada, client, server } = await talk(() => chatStream(words.map((content) => ({ content }))), { 'varve-session': 's' })
    const stream = await client.chat.completions.create({ model: 'm', messages: [asked], stream: true })
    const parts = await Array.fromAsync(stream, ({ choices }) => choices[0]?.delta.content ?? '')
    expect(parts.join('')).toBe(words.join(''))
    await server.proxy.settled()
    expect(await heldIn(ada, 's')).toEqual([`user: ${asked.content}`, `assistant: ${words.join('')}`])
  })

  test('that the client leaves ends upstream too, and what came so far is remembered', async () => {
    const { promise: never } = Promise.withResolvers<void>()
    const { ada, client, server, left } = await talk(
      () => {
        const { pieces, ...answer } = chatStream(words.map((content) => ({ content })))
        return { ...answer, pieces: [...pieces.slice(0, 2), never] }
      },
      { 'varve-session': 's' },
    )
    const stream = await client.chat.completions.create({ model: 'm', messages: [asked], stream: true })
    let heard = ''
    for await (const { choices } of stream) {
      heard += choices[0]?.delta.content ?? ''
      if (heard === 'On the ') break
    }
    await left
    await expect.poll(() => heldIn(ada, 's')).toEqual([`user: ${asked.content}`, 'assistant: On the '])
    expect(server.proxy.counters()).toMatchObject({ stopped: 1, cut: 0, captured: 1 })
  })

  test('that the upstream cuts is cut for the client, and what came so far is remembered', async () => {
    const { ada, client, server } = await talk(
      () =>
        chatStream(
          words.map((content) => ({ content })),
          { finish: 'cut' },
        ),
      { 'varve-session': 's' },
    )
    const stream = await client.chat.completions.create({ model: 'm', messages: [asked], stream: true })
    let heard = ''
    const failure = await (async () => {
      try {
        for await (const { choices } of stream) heard += choices[0]?.delta.content ?? ''
        return undefined
      } catch (error) {
        return error
      }
    })()
    expect(failure).toBeInstanceOf(Error)
    expect(heard).toBe(words.join(''))
    await expect.poll(() => heldIn(ada, 's')).toEqual([`user: ${asked.content}`, `assistant: ${words.join('')}`])
    expect(server.proxy.counters()).toMatchObject({ stopped: 0, cut: 1 })
  })

  test('of parallel tool calls goes through untouched; calls and results are remembered, and the context stays in its place', async () => {
    const calls = ['{"place":', '"kiosk"}'].flatMap((json) =>
      [0, 1].map((index) => ({ tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'hours', arguments: json } }] })),
    )
    const { ada, client, server, requests } = await talk((_, place) => chatStream(place === 1 ? calls : [{ content: 'At ten.' }]), {
      'varve-session': 's',
    })
    await ada.append('past', { role: 'user', content: known })
    const runner = await client.chat.completions.create({ model: 'm', messages: [asked], stream: true })
    const heard = await Array.fromAsync(runner, ({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '')
    expect(heard.join('')).toBe('{"place":{"place":"kiosk"}"kiosk"}')
    const toolCalls = [0, 1].map((index) => ({
      id: `c${index}`,
      type: 'function' as const,
      function: { name: 'hours', arguments: '{"place":"kiosk"}' },
    }))
    const history: Messages = [
      asked,
      { role: 'assistant', content: null, tool_calls: toolCalls },
      ...toolCalls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '{"opens":"10:00"}' })),
    ]
    await server.proxy.settled()
    await ada.append('past', { role: 'user', content: 'The kiosk sells tea, and opens each day.' })
    await Array.fromAsync(await client.chat.completions.create({ model: 'm', messages: history, stream: true }))
    await server.proxy.settled()
    const [first, second] = [sentMessages(requests[0]), sentMessages(requests[1])]
    expect(second[0]).toEqual(first[0])
    expect(second[0]?.content).toMatch(fenced)
    expect(second.slice(1)).toEqual(history.slice(1))
    expect(await heldIn(ada, 's')).toEqual([
      `user: ${asked.content}`,
      'assistant: hours({"place":"kiosk"})\n\nhours({"place":"kiosk"})',
      'tool: hours: {"opens":"10:00"}',
      'tool: hours: {"opens":"10:00"}',
      'assistant: At ten.',
    ])
    expect((await ada.messages('s'))[1]?.parts).toEqual(
      [0, 1].map((at) => ({ type: 'tool-call', toolCallId: `c${at}`, toolName: 'hours', input: { place: 'kiosk' } })),
    )
  })
})

describe('a host that sends its history again', () => {
  const replies = ['The 16th.', 'At ten.', 'Until six.']

  /** Talks for three turns. Each request holds all of the turns before it. */
  async function threeTurns(client: OpenAI): Promise<void> {
    const history: Messages = [{ role: 'system', content: 'Be brief.' }]
    for (const said of ['When does the kiosk open?', 'And at what hour?', 'And how long?']) {
      history.push({ role: 'user', content: said })
      const { choices } = await client.chat.completions.create({ model: 'm', messages: history })
      history.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
    }
  }

  const held = [
    'user: When does the kiosk open?',
    'assistant: The 16th.',
    'user: And at what hour?',
    'assistant: At ten.',
    'user: And how long?',
    'assistant: Until six.',
  ]

  test('has each message stored once, in one session made from what opened it', async () => {
    const { ada, client, server } = await talk((_, place) => chatAnswer(replies[(place - 1) % 3] ?? ''))
    await threeTurns(client)
    await server.proxy.settled()
    await threeTurns(client)
    await server.proxy.settled()
    const sessions = await ada.sessions.list()
    expect(sessions).toHaveLength(1)
    expect(await heldIn(ada, sessions[0]?.id ?? '')).toEqual(held)
  })

  test('has its own turns left out of what it is told', async () => {
    const { client, server, requests } = await talk((_, place) => chatAnswer(replies[place - 1] ?? ''), { 'varve-session': 's' })
    await threeTurns(client)
    await server.proxy.settled()
    expect(requests.map(({ text }) => text.includes('<memory'))).toEqual([false, false, false])
  })

  test('that opens as another one did has a session of its own, and is told of the other', async () => {
    const { ada, client, server, requests } = await talk((_, place) => chatAnswer(`Hello, visitor ${place}.`))
    const hello = { role: 'user' as const, content: 'Hello, I am at the kiosk.' }
    const first: Messages = [hello, { role: 'assistant', content: 'Hello, visitor 1.' }, { role: 'user', content: 'Bye.' }]
    for (const messages of [[hello], first, [hello]]) {
      await client.chat.completions.create({ model: 'm', messages })
      await server.proxy.settled()
    }
    expect(await ada.sessions.list()).toHaveLength(2)
    const history: Messages = [
      hello,
      { role: 'assistant', content: 'Hello, visitor 3.' },
      { role: 'user', content: 'Which visitor was at the kiosk?' },
    ]
    await client.chat.completions.create({ model: 'm', messages: history })
    await server.proxy.settled()
    expect(requests[3]?.text).toContain('Hello, visitor 1.')
    expect(await ada.sessions.list()).toHaveLength(2)
  })
})

test('a client that sends only the newest message is told of the session’s turns, and its repeated words are kept', async () => {
  const { ada, client, server, requests } = await talk((_, place) => chatAnswer(`Answer ${place}.`), { 'varve-session': 's' })
  for (const content of ['Shall we go to the kiosk?', 'yes', 'yes']) {
    await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] })
    await server.proxy.settled()
  }
  expect(requests[1]?.text).toContain('This conversation so far:')
  expect(requests[1]?.text).toContain('Shall we go to the kiosk?')
  expect((await heldIn(ada, 's')).filter((line) => line === 'user: yes')).toHaveLength(2)
})

test('a request that is sent again with its idempotency key is stored once', async () => {
  const { ada, client, server } = await talk(() => chatAnswer('Yes.'), { 'varve-session': 's', 'idempotency-key': 'k1' })
  for (let time = 0; time < 2; time += 1) await client.chat.completions.create({ model: 'm', messages: [asked] })
  await server.proxy.settled()
  expect(await heldIn(ada, 's')).toEqual([`user: ${asked.content}`, 'assistant: Yes.'])
})

test('a session’s name in a header is percent-encoded, and one that cannot be a name is refused', async () => {
  const { ada, client, server } = await talk(() => chatAnswer('Yes.'))
  const ask = (session: string) =>
    client.chat.completions.create({ model: 'm', messages: [asked] }, { headers: { 'varve-session': session } })
  await ask(encodeURIComponent('понедельник / 100 %'))
  await server.proxy.settled()
  expect(await heldIn(ada, 'понедельник / 100 %')).toHaveLength(2)
  for (const name of ['%', '%00', '~', '%20']) await expect(ask(name)).rejects.toMatchObject({ status: 400, code: 'invalid_header' })
})
