import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, type ProxyServer, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import {
  chatAnswer,
  chatStream,
  jsonAnswer,
  scriptedUpstream,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })

type Message = OpenAI.ChatCompletionMessageParam

interface Talk {
  readonly ada: UserMemory
  readonly server: ProxyServer
  readonly client: OpenAI
  readonly requests: readonly UpstreamRequest[]
  /** Sends messages, and gives the reply. */
  say(messages: readonly Message[], session?: string): Promise<string>
  /** The messages of each session, in the order of their begin. */
  held(): Promise<string[][]>
}

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const replies = (_: UpstreamRequest, place: number): UpstreamAnswer => chatAnswer(`Reply ${place}.`)

async function talk(script = replies, now = (): number => Date.now()): Promise<Talk> {
  const ada = shared.user()
  const { url, requests } = await scriptedUpstream(script)
  const server = await proxyServer({ openai: { url }, anthropic: { url } }, { now })
  const client = new OpenAI({ apiKey: server.key('vk-ada', scopeOf(ada)), baseURL: `${server.url}/v1`, maxRetries: 0 })
  return {
    ...{ ada, server, client, requests },
    async say(messages, session) {
      const headers = session === undefined ? {} : { 'varve-session': session }
      const { choices } = await client.chat.completions.create({ model: 'm', messages: [...messages] }, { headers })
      await server.proxy.settled()
      return choices[0]?.message.content ?? ''
    },
    async held() {
      const sessions = await ada.sessions.list()
      const held = await Promise.all(sessions.map(async ({ id }) => heldIn(ada, id)))
      return held.toSorted((one, other) => one.join().localeCompare(other.join()))
    },
  }
}

const hi = user('Hi, I am at the kiosk.')

describe('a reply that is made anew', () => {
  test('to the first message: both replies are in one session, the message once, and the talk goes on there', async () => {
    const { say, held, requests } = await talk()
    await say([hi])
    const second = await say([hi])
    expect(await held()).toEqual([['user: Hi, I am at the kiosk.', 'assistant: Reply 1.', 'assistant: Reply 2.']])
    // The reply that was turned down is not told to the model.
    expect(requests[1]?.text).not.toContain('<memory')
    await say([hi, assistant(second), user('And now?')])
    expect(await held()).toEqual([
      ['user: Hi, I am at the kiosk.', 'assistant: Reply 1.', 'assistant: Reply 2.', 'user: And now?', 'assistant: Reply 3.'],
    ])
  })

  test('to a later message: the message is stored once, both replies are', async () => {
    const { say, held } = await talk()
    const history = [hi, assistant(await say([hi])), user('And now?')]
    await say(history)
    await say(history)
    await say([...history, assistant('Reply 3.'), user('Thanks.')])
    expect(await held()).toEqual([
      [
        ...['user: Hi, I am at the kiosk.', 'assistant: Reply 1.', 'user: And now?', 'assistant: Reply 2.', 'assistant: Reply 3.'],
        ...['user: Thanks.', 'assistant: Reply 4.'],
      ],
    ])
  })

  test('that calls a tool: the message is stored once, and each reply with its tool calls', async () => {
    const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'hours', arguments: '{}' } })
    const { say, held } = await talk((request, place) =>
      JSON.parse(request.text).messages.length === 1
        ? chatAnswer(null, { tool_calls: [call(`c${place}`)] })
        : chatAnswer(`Reply ${place}.`),
    )
    for (const id of ['c1', 'c3']) {
      await say([hi])
      await say([hi, { role: 'assistant', content: null, tool_calls: [call(id)] }, { role: 'tool', tool_call_id: id, content: 'ten' }])
    }
    expect(await held()).toEqual([
      [
        'user: Hi, I am at the kiosk.',
        ...['assistant: hours({})', 'tool: hours: ten', 'assistant: Reply 2.'],
        ...['assistant: hours({})', 'tool: hours: ten', 'assistant: Reply 4.'],
      ],
    ])
  })

  test('in a named session, by a client that sends its history', async () => {
    const { say, held } = await talk()
    await say([user('Hello.'), assistant('Hello.'), user('Bye.')], 'other')
    await say([hi], 's')
    await say([hi], 's')
    await say([hi, assistant('Reply 3.'), user('And now?')], 's')
    expect((await held())[1]).toEqual([
      ...['user: Hi, I am at the kiosk.', 'assistant: Reply 2.', 'assistant: Reply 3.', 'user: And now?', 'assistant: Reply 4.'],
    ])
  })

  test('by Anthropic’s client', async () => {
    const { server, held } = await talk((_, place) =>
      jsonAnswer({ id: 'msg', type: 'message', role: 'assistant', content: [{ type: 'text', text: `Reply ${place}.` }], usage: {} }),
    )
    const client = new Anthropic({ apiKey: 'vk-ada', baseURL: server.url, maxRetries: 0 })
    for (let time = 0; time < 2; time += 1) {
      await client.messages.create({ model: 'm', max_tokens: 9, system: 'Be brief.', messages: [{ role: 'user', content: 'Hi.' }] })
      await server.proxy.settled()
    }
    expect(await held()).toEqual([['user: Hi.', 'assistant: Reply 1.', 'assistant: Reply 2.']])
  })
})

describe('a request that is sent again', () => {
  const cutThenWhole = (_: UpstreamRequest, place: number): UpstreamAnswer =>
    place === 1 ? chatStream([{ content: 'Half a' }], { finish: 'cut' }) : chatStream([{ content: 'A whole reply.' }])

  const sessions: Record<string, Record<string, string>> = { 'without a session': {}, 'in a named session': { 'varve-session': 's' } }
  for (const [where, headers] of Object.entries(sessions))
    test(`since its stream was cut, ${where}: the message is stored once`, async () => {
      const { client, server, held } = await talk(cutThenWhole)
      for (let time = 0; time < 2; time += 1) {
        const stream = await client.chat.completions.create({ model: 'm', messages: [hi], stream: true }, { headers })
        const heard = Array.fromAsync(stream)
        if (time === 0) await expect(heard).rejects.toThrow('terminated')
        else await heard
        await server.proxy.settled()
      }
      expect(await held()).toEqual([['user: Hi, I am at the kiosk.', 'assistant: Half a', 'assistant: A whole reply.']])
    })

  test('by the client’s own count of retries: the message is stored once', async () => {
    const { client, server, held } = await talk()
    for (const count of ['0', '1']) {
      const headers = { 'varve-session': 's', 'x-stainless-retry-count': count }
      await client.chat.completions.create({ model: 'm', messages: [hi] }, { headers })
      await server.proxy.settled()
    }
    expect(await held()).toEqual([['user: Hi, I am at the kiosk.', 'assistant: Reply 1.', 'assistant: Reply 2.']])
  })

  test('while the first is under way: the message is stored once', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>()
    const { say, held, requests, server } = await talk((_, place) => ({
      ...chatAnswer(`Reply ${place}.`),
      pieces: [gate, ...chatAnswer(`Reply ${place}.`).pieces],
    }))
    const both = [say([hi]), say([hi])]
    await expect.poll(() => requests.length).toBe(2)
    resolve()
    await Promise.all(both)
    await server.proxy.settled()
    const [messages, ...others] = await held()
    expect(others).toEqual([])
    expect(messages?.filter((line) => line.startsWith('user'))).toEqual(['user: Hi, I am at the kiosk.'])
    expect(messages).toHaveLength(3)
  })
})

test('a mark for the prompt cache that moves on makes no message a new one', async () => {
  const { server, held } = await talk(() => jsonAnswer({ id: 'msg', type: 'message', role: 'assistant', content: [], usage: {} }))
  const client = new Anthropic({ apiKey: 'vk-ada', baseURL: server.url, maxRetries: 0 })
  const marked = (text: string) => [{ type: 'text' as const, text, cache_control: { type: 'ephemeral' as const } }]
  const begin: Anthropic.MessageParam[] = [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Hello.' },
  ]
  const turns: Anthropic.MessageParam[][] = [
    [...begin, { role: 'user', content: marked('Is it open?') }],
    [...begin, { role: 'user', content: 'Is it open?' }, { role: 'user', content: marked('The kiosk, I mean.') }],
  ]
  for (const messages of turns) {
    await client.messages.create({ model: 'm', max_tokens: 9, messages })
    await server.proxy.settled()
  }
  expect(await held()).toEqual([['user: Is it open?', 'user: The kiosk, I mean.']])
})

describe('words that are said anew are stored anew', () => {
  test('an edited message: both are kept, in the session where its opening stayed', async () => {
    const { say, held } = await talk()
    const begin = [hi, assistant(await say([hi]))]
    await say([...begin, user('And in May?')])
    await say([...begin, user('And in June?')])
    await say([user('Hi, I am at the pier.')])
    expect(await held()).toEqual([
      [
        'user: Hi, I am at the kiosk.',
        'assistant: Reply 1.',
        'user: And in May?',
        'assistant: Reply 2.',
        'user: And in June?',
        'assistant: Reply 3.',
      ],
      ['user: Hi, I am at the pier.', 'assistant: Reply 4.'],
    ])
  })

  test('two conversations that begin with the same words: one after the other', async () => {
    const { say, held, requests } = await talk()
    const first = [hi, assistant(await say([hi])), user('I want cake.')]
    await say(first)
    await say([hi])
    await say([hi, assistant('Reply 3.'), user('Who was at the kiosk, and wanted cake?')])
    expect(requests[3]?.text).toContain('I want cake.')
    await say([...first, assistant('Reply 2.'), user('And tea.')])
    expect(await held()).toEqual([
      [
        'user: Hi, I am at the kiosk.',
        'assistant: Reply 1.',
        'user: I want cake.',
        'assistant: Reply 2.',
        'user: And tea.',
        'assistant: Reply 5.',
      ],
      ['user: Hi, I am at the kiosk.', 'assistant: Reply 3.', 'user: Who was at the kiosk, and wanted cake?', 'assistant: Reply 4.'],
    ])
  })

  test('two that begin at once: from their second message on they are two', async () => {
    const { say, held, requests } = await talk()
    const [one, other] = [await say([hi]), await say([hi])]
    await say([hi, assistant(one), user('I want cake.')])
    await say([hi, assistant(other), user('Who wanted cake?')])
    expect(requests[3]?.text).toContain('I want cake.')
    await say([hi, assistant(other), user('Who wanted cake?'), assistant('Reply 4.'), user('And tea?')])
    expect(await held()).toEqual([
      ['user: Hi, I am at the kiosk.', 'assistant: Reply 1.', 'assistant: Reply 2.', 'user: I want cake.', 'assistant: Reply 3.'],
      ['user: Who wanted cake?', 'assistant: Reply 4.', 'user: And tea?', 'assistant: Reply 5.'],
    ])
  })

  test('the same opening under other instructions', async () => {
    const { say, held } = await talk()
    await say([{ role: 'system', content: 'You plan.' }, hi])
    await say([{ role: 'system', content: 'You check.' }, hi])
    expect(await held()).toHaveLength(2)
  })

  test('the same opening after ten minutes', async () => {
    let now = Date.now()
    const { say, held } = await talk(replies, () => now)
    await say([hi])
    now += 600_001
    await say([hi])
    expect(await held()).toHaveLength(2)
  })

  test('in a named session, by a client that sends its newest message alone', async () => {
    const { say, held } = await talk()
    for (let time = 0; time < 3; time += 1) await say([user('Roll the dice.')], 's')
    const [messages] = await held()
    expect(messages?.filter((line) => line === 'user: Roll the dice.')).toHaveLength(3)
  })

  test('in a named session, also when another program with this key sends its history', async () => {
    const { say, held } = await talk()
    await say([user('Hello.'), assistant('Hello.'), user('Bye.')], 'other')
    for (const said of ['Shall we play?', 'Roll.', 'Roll.']) await say([user(said)], 's')
    expect((await held())[1]?.filter((line) => line === 'user: Roll.')).toHaveLength(2)
  })

  test('by another user', async () => {
    const { say, held, server, ada } = await talk()
    const bob = shared.user()
    await say([hi])
    const client = new OpenAI({ apiKey: server.key('vk-bob', scopeOf(bob)), baseURL: `${server.url}/v1`, maxRetries: 0 })
    await client.chat.completions.create({ model: 'm', messages: [hi] })
    await server.proxy.settled()
    expect(await held()).toEqual([['user: Hi, I am at the kiosk.', 'assistant: Reply 1.']])
    const [session] = await bob.sessions.list()
    expect(await heldIn(bob, session?.id ?? '')).toEqual(['user: Hi, I am at the kiosk.', 'assistant: Reply 2.'])
    expect((await ada.sessions.list())[0]?.id).not.toBe(session?.id)
  })
})
