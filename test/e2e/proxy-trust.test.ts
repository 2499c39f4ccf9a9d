import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { attacks } from '../fixtures/attacks/attacks.ts'
import { families } from '../fixtures/hostile/attack.ts'
import { hostileTexts } from '../fixtures/hostile/attacks.ts'
import { heldBack } from '../fixtures/hostile/check.ts'
import { plant } from '../fixtures/hostile/planted.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, type ProxyServer, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import { chatAnswer, scriptedUpstream, type UpstreamAnswer, type UpstreamRequest } from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })

interface Reached {
  readonly server: ProxyServer
  readonly requests: readonly UpstreamRequest[]
  ask(token: string, content: string, headers?: Record<string, string>): Promise<Response>
}

async function reached(
  script: (request: UpstreamRequest, place: number) => UpstreamAnswer,
  events?: Parameters<typeof proxyServer>[1],
): Promise<Reached> {
  const { url, requests } = await scriptedUpstream(script)
  const server = await proxyServer({ openai: { url, key: 'sk-upstream' }, anthropic: { url, key: 'sk-ant' } }, events)
  const ask: Reached['ask'] = async (token, content, headers = {}) => {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      ...{ method: 'POST', body },
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    await response.clone().text()
    await server.proxy.settled()
    return response
  }
  return { server, requests, ask }
}

function turnOf(server: ProxyServer, response: Response, token: string): Promise<Response> {
  return fetch(`${server.url}/v1/turns/${response.headers.get('varve-turn')}`, { headers: { authorization: `Bearer ${token}` } })
}

const prompt = (request: UpstreamRequest | undefined): string => JSON.parse(request?.text ?? '').messages.at(-1).content

test('no key of Varve’s goes upstream, in whichever header it comes, and nothing of the caller’s network does', async () => {
  const { server, requests } = await reached(() => chatAnswer('ok'))
  server.key('vk-ada', scopeOf(shared.user()))
  const given: readonly [headers: Record<string, string>, authorization: string | undefined, xApiKey: string | undefined][] = [
    [{ authorization: 'Bearer vk-ada' }, 'Bearer sk-upstream', undefined],
    [{ authorization: 'bearer   vk-ada' }, 'Bearer sk-upstream', undefined],
    [{ 'x-api-key': 'vk-ada' }, 'Bearer sk-upstream', undefined],
    [{ 'varve-key': 'vk-ada' }, 'Bearer sk-upstream', undefined],
    [{ 'varve-key': 'vk-ada', authorization: 'Bearer vk-ada' }, 'Bearer sk-upstream', undefined],
    [{ 'varve-key': 'vk-ada', authorization: 'Bearer vk-other' }, 'Bearer sk-upstream', undefined],
    [{ 'varve-key': 'vk-ada', authorization: 'Bearer sk-mine' }, 'Bearer sk-mine', undefined],
    [{ 'varve-key': 'vk-ada', 'x-api-key': 'sk-mine' }, undefined, 'sk-mine'],
    [{ 'varve-key': 'vk-ada', 'x-api-key': 'vk-ada', authorization: 'Bearer sk-mine' }, 'Bearer sk-mine', undefined],
    [{ authorization: 'Bearer vk-ada', 'x-api-key': 'sk-mine' }, 'Bearer sk-upstream', undefined],
  ]
  const own = { 'varve-user': 'ada', 'varve-session': 's', cookie: 'console=1', 'x-forwarded-for': '10.0.0.1', origin: 'http://127.0.0.1' }
  const passed = { 'openai-organization': 'org', 'anthropic-beta': 'b1', 'x-stainless-lang': 'js' }
  for (const [headers, authorization, xApiKey] of given) {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: '{}',
      headers: { ...own, ...passed, ...headers },
    })
    expect(response.status).toBe(200)
    const sent = requests.at(-1)?.headers ?? {}
    expect([sent.authorization, sent['x-api-key']], JSON.stringify(headers)).toEqual([authorization, xApiKey])
    expect(JSON.stringify(sent)).not.toContain('vk-')
    expect(sent).toMatchObject(passed)
    expect(Object.keys(sent).filter((name) => name in own || name.startsWith('varve'))).toEqual([])
  }
})

test('without a key of Varve’s nothing goes upstream', async () => {
  const { server, requests } = await reached(() => chatAnswer('ok'))
  for (const path of ['chat/completions', 'responses', 'messages'])
    expect(
      (await fetch(`${server.url}/v1/${path}`, { method: 'POST', body: '{}', headers: { authorization: 'Bearer sk-1' } })).status,
    ).toBe(401)
  expect((await fetch(`${server.url}/v1/turns/1`)).status).toBe(401)
  expect(requests).toEqual([])
})

test('an upstream opens the proxy’s address to no page, and sets no cookie there', async () => {
  const headers = {
    'access-control-allow-origin': '*',
    'set-cookie': 'a=1',
    'alt-svc': 'h3=":443"',
    'varve-turn': 'forged',
    'x-other': '1',
  }
  const { server, ask } = await reached(() => ({ ...chatAnswer('ok'), headers }))
  server.key('vk-ada', scopeOf(shared.user()))
  const response = await ask('vk-ada', 'hello')
  expect(response.headers.get('x-other')).toBe('1')
  expect(response.headers.get('varve-turn')).not.toBe('forged')
  for (const name of ['access-control-allow-origin', 'set-cookie', 'alt-svc']) expect(response.headers.get(name)).toBeNull()
})

test('two users and two projects talk at once through one proxy, and none is told of another', async () => {
  const { server, requests, ask } = await reached(({ text }) => chatAnswer(`Noted: ${/gem\d/.exec(text.slice(-40))?.[0]}.`))
  const people = ['a', 'b'].flatMap((project) => ['ada', 'bob'].map((user) => ({ project, user })))
  const handles = people.map((who) => shared.memory.for(who))
  for (const [at, memory] of handles.entries()) server.key(`vk-${at}`, scopeOf(memory))
  await Promise.all(people.flatMap((_, at) => [0, 1, 2].map((time) => ask(`vk-${at}`, `My secret stone number ${time} is the gem${at}.`))))
  await Promise.all(people.flatMap((_, at) => [0, 1, 2].map(() => ask(`vk-${at}`, 'What is my secret stone?', { 'varve-session': 'new' }))))
  for (const [at, memory] of handles.entries()) {
    const mine = requests.filter(({ text }) => text.includes('secret stone?') && text.includes(`gem${at}`))
    expect(mine).toHaveLength(3)
    for (const { text } of mine) expect([...text.matchAll(/gem(\d)/g)].every(([, one]) => one === String(at))).toBe(true)
    expect(JSON.stringify(await memory.timeline({ limit: 100 }))).not.toMatch(new RegExp(`gem[^${at}]`))
  }
})

test('a key that may not read is told nothing, and one that may not write leaves nothing', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { server, requests, ask } = await reached(() => chatAnswer('ok'))
  server.key('vk-write', { ...scopeOf(ada), may: { read: false, write: true } })
  server.key('vk-read', { ...scopeOf(ada), may: { read: true, write: false } })
  const written = await ask('vk-write', 'When does the kiosk open?', { 'varve-session': 'w', 'varve-memory': 'on' })
  await ask('vk-read', 'When does the kiosk open?', { 'varve-session': 'r', 'varve-memory': 'on' })
  expect(requests.map(({ text }) => text.includes('16th'))).toEqual([false, true])
  expect(await heldIn(ada, 'w')).toHaveLength(2)
  expect(await ada.messages('r')).toEqual([])
  expect((await turnOf(server, written, 'vk-write')).status).toBe(404)
})

test('Varve-Memory switches reading, writing, or both off', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { server, requests, ask } = await reached(() => chatAnswer('ok'))
  server.key('vk-ada', scopeOf(ada))
  const modes = ['off', 'read', 'write', 'on']
  for (const mode of modes) await ask('vk-ada', 'When does the kiosk open?', { 'varve-memory': mode, 'varve-session': mode })
  expect(requests.map(({ text }) => text.includes('16th'))).toEqual([false, true, false, true])
  const kept = await Promise.all(modes.map(async (mode) => (await ada.messages(mode)).length))
  expect(kept).toEqual([0, 0, 2, 2])
})

test('the budget is kept: the header’s, and never more than the server’s most', async () => {
  const ada = shared.user()
  for (let at = 0; at < 60; at += 1)
    await ada.append(`past ${at}`, { role: 'user', content: `The kiosk number ${at} opens on some day of the month of May.` })
  const { url } = await scriptedUpstream(() => chatAnswer('ok'))
  const server = await proxyServer({ openai: { url } }, { limits: { deadlineMs: 10_000, maxTokens: 300, mostTokens: 600 } })
  server.key('vk-ada', scopeOf(ada))
  const tokens: number[] = []
  for (const header of [{}, { 'varve-max-tokens': '120' }, { 'varve-max-tokens': '9999' }]) {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Which day does the kiosk open?' }] })
    const headers = { authorization: 'Bearer vk-ada', 'varve-memory': 'read', ...header }
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body, headers })
    tokens.push(JSON.parse(await (await turnOf(server, response, 'vk-ada')).text()).memory.tokens)
  }
  for (const [at, most] of [300, 120, 600].entries()) expect(tokens[at]).toBeLessThanOrEqual(most)
  expect(tokens[0]).toBeGreaterThan(200)
  expect(tokens[2]).toBeGreaterThan(400)
})

test('planted texts stay within the fence, and the request around it stays as it came', async () => {
  const ada = shared.user()
  const { server, requests } = await reached(() => chatAnswer('ok'))
  server.key('vk-ada', scopeOf(ada))
  const headers = { authorization: 'Bearer vk-ada', 'varve-memory': 'read' }
  for (const [at, { text, speaker }] of attacks.entries())
    await ada.append(`past ${at}`, {
      role: 'tool',
      content: `kiosk ${at}: ${text.replaceAll('\0', ' ').toWellFormed()}`,
      ...(speaker === undefined ? {} : { name: speaker }),
    })
  for (const at of attacks.keys()) {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: `kiosk ${at}` },
    ]
    await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ model: 'm', messages }), headers })
    const sent = JSON.parse(requests.at(-1)?.text ?? '')
    expect(sent).toEqual({ model: 'm', messages: [messages[0], { role: 'user', content: expect.any(String) }] })
    expect(insideFence(sent.messages[1].content)).not.toMatch(/<\s*\/?\s*memory|<\|im_(?:start|end)\|>|\[\/INST\]/iu)
  }
  expect(requests).toHaveLength(attacks.length)
}, 60_000)

/** Gives the remembered text of a message that has one fence, before the person's words. */
function insideFence(content: string): string {
  const [, inside] = /^<memory mark="([\da-f]{16})">\n([\s\S]*)\n<\/memory mark="\1">\n\nkiosk/.exec(content)?.slice(1) ?? []
  expect(inside, content).toBeDefined()
  return inside ?? ''
}

test.each(families)(
  'no hostile text of this family reaches a model as it is: %s',
  async (family) => {
    const { server, requests } = await reached(() => chatAnswer('ok'))
    for (const [at, hostile] of hostileTexts
      .filter((one) => one.family === family)
      .slice(0, 6)
      .entries()) {
      const ada = shared.user()
      await plant(
        ada,
        hostile.isName === true ? { text: 'hello kiosk ferry', name: hostile.text } : { text: `kiosk ferry ${hostile.text}` },
      )
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'kiosk ferry' }] })
      await fetch(`${server.url}/v1/chat/completions`, {
        ...{ method: 'POST', body },
        headers: { authorization: `Bearer ${server.key(`vk-${at}`, scopeOf(ada))}`, 'varve-memory': 'read' },
      })
      expect(heldBack(insideFence(prompt(requests.at(-1))), hostile), hostile.text.slice(0, 80)).toEqual([])
    }
  },
  60_000,
)

test('a reply that repeats what it was told is marked as told: a hundred rounds leave one original', async () => {
  const ada = shared.user()
  const sentence = 'The zeppelin museum in Friedrichshafen closes its upper gallery every second Thursday of November.'
  await ada.append('past', { role: 'user', content: sentence })
  const { server, requests, ask } = await reached((request) => chatAnswer(prompt(request).replace(/\n\nRound.*$/, '')))
  server.key('vk-ada', scopeOf(ada))
  for (let round = 0; round < 100; round += 1)
    await ask('vk-ada', `Round ${round}: when does the zeppelin gallery close?`, { 'varve-session': `r${round}` })
  const { hits } = await ada.recall('Friedrichshafen museum', { limit: 50 })
  expect(hits.map(({ session }) => session)).toEqual(['past'])
  for (const request of requests) expect(prompt(request).split('upper gallery').length).toBeLessThanOrEqual(2)
  const [, reply] = await ada.messages('r99')
  expect(reply?.recalled?.length).toBeGreaterThan(0)
  await ask('vk-ada', 'And the museum in Friedrichshafen?', { 'varve-session': 'last' })
  expect(prompt(requests.at(-1)).match(/Friedrichshafen closes/g)).toHaveLength(1)
}, 60_000)

test('over twenty turns all bytes before the remembered text are the same from turn to turn', async () => {
  const ada = shared.user()
  const { server, requests } = await reached((_, place) => chatAnswer(`Answer ${place}.`))
  server.key('vk-ada', scopeOf(ada))
  await ada.instructions.add('Answer in metres.')
  await ada.blocks.set('habits', 'tea at the kiosk')
  const messages: { role: string; content: string }[] = [{ role: 'system', content: 'Be brief.' }]
  for (let at = 0; at < 20; at += 1) {
    await ada.append(`past ${at}`, { role: 'user', content: `On day ${at} the kiosk sold tea and cake number ${at}.` })
    messages.push({ role: 'user', content: `What did the kiosk sell on day ${at}?` })
    const body = JSON.stringify({ model: 'm', messages })
    const headers = { authorization: 'Bearer vk-ada', 'varve-session': 'now' }
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body, headers })
    messages.push({ role: 'assistant', content: JSON.parse(await response.text()).choices[0].message.content })
    await server.proxy.settled()
  }
  const stable = requests.map(({ text }) => text.slice(0, text.indexOf('<memory')))
  expect(stable).toHaveLength(20)
  for (const [at, before] of stable.entries()) {
    const next = requests[at + 1]
    expect(requests[at]?.text.match(/<memory mark/g)).toHaveLength(1)
    if (next !== undefined) expect(next.text.startsWith(before)).toBe(true)
    // All but the newest message stands before it.
    expect(before.match(/"role"/g)).toHaveLength(2 * at + 2)
  }
})

test('a turn shows the prompt to the byte and what was remembered, to the key that made it alone', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { server, requests, ask } = await reached(() => chatAnswer('On the 16th.'))
  server.key('vk-ada', scopeOf(ada))
  server.key('vk-ada-2', scopeOf(ada))
  server.key('vk-bob', { ...scopeOf(shared.user()), keyId: 'vk-ada' })
  const response = await ask('vk-ada', 'When does the kiosk open?', { 'varve-session': 's' })
  const turn = JSON.parse(await (await turnOf(server, response, 'vk-ada')).text())
  const stored = await ada.messages('s')
  const [past] = await ada.messages('past')
  expect(turn).toMatchObject({
    api: 'chat-completions',
    status: 'done',
    upstreamStatus: 200,
    prompt: requests[0]?.text,
    memory: { context: expect.stringMatching(/^[\da-f-]{36}$/), items: [{ tier: 'details', id: past?.id }], degraded: [], isKept: false },
    remembered: { status: 'stored', session: 's', messages: stored.map(({ id, seq }) => ({ id, seq, duplicate: false })) },
  })
  expect((await ada.contexts.get(turn.memory.context)).isSame).toBe(true)
  for (const name of ['memoryMs', 'firstByteMs', 'totalMs', 'captureMs']) expect(turn.timings[name]).toBeGreaterThan(0)
  const others = await Promise.all(['vk-ada-2', 'vk-bob'].map((token) => turnOf(server, response, token)))
  expect(others.map(({ status }) => status)).toEqual([404, 404])
  expect(others[0]?.headers.get('content-type')).toBe('application/problem+json')
})

async function withTurn(forget: (ada: UserMemory, bob: UserMemory) => Promise<unknown>): Promise<number> {
  const memory = await openForTest({ embeddingModel: false })
  const [ada, bob] = [memory.for({ project: 'pier', user: 'ada' }), memory.for({ project: 'pier', user: 'bob' })]
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  await bob.append('past', { role: 'user', content: 'Nothing else.' })
  const { server, ask } = await reached(() => chatAnswer('ok'), { memory })
  server.key('vk-ada', scopeOf(ada))
  const response = await ask('vk-ada', 'When does the kiosk open?')
  expect((await turnOf(server, response, 'vk-ada')).status).toBe(200)
  await forget(ada, bob)
  return (await turnOf(server, response, 'vk-ada')).status
}

test('turns of a project are gone when anything was forgotten or replaced in it', async () => {
  expect(await withTurn((ada) => ada.forget({ session: 'past' }))).toBe(404)
  // What is shared shows one member's words to another.
  expect(await withTurn((_, bob) => bob.forget({ session: 'past' }))).toBe(404)
  expect(await withTurn(async (ada) => ada.replace((await ada.messages('past'))[0]?.id ?? '', 'Closed.'))).toBe(404)
  expect(await withTurn((ada) => ada.recall('kiosk'))).toBe(200)
})

test('a context that was read before a forget is not sent again after it, within a turn with tools', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for('ada')
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { server, requests, ask } = await reached(() => chatAnswer('ok'), { memory })
  server.key('vk-ada', scopeOf(ada))
  await ask('vk-ada', 'When does the kiosk open?', { 'varve-session': 's' })
  expect(requests[0]?.text).toContain('16th')
  await ada.forget({ session: 'past' })
  const call = { id: 'c1', type: 'function', function: { name: 'hours', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'When does the kiosk open?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'closed' },
  ]
  const headers = { authorization: 'Bearer vk-ada', 'varve-session': 's' }
  await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ messages }), headers })
  expect(requests[1]?.text).not.toContain('16th')
})

test('a message that was forgotten does not come back when its request is sent again', async () => {
  const ada = shared.user()
  const { server, ask } = await reached(() => chatAnswer('ok'))
  server.key('vk-ada', scopeOf(ada))
  await ask('vk-ada', 'My code is 4711.')
  const [session] = await ada.sessions.list()
  const [said] = await ada.messages(session?.id ?? '')
  await ada.forget({ messages: [said?.id ?? ''] })
  await ask('vk-ada', 'My code is 4711.')
  expect(JSON.stringify(await ada.timeline({ limit: 10 }))).not.toContain('4711')
})

test('a turn whose context was read before a forget is not held after it', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for('ada')
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const [read, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { server, ask } = await reached(() => chatAnswer('ok'), { memory })
  const slow: Pick<UserMemory, 'context' | 'append'> = {
    context: async (options) => {
      const context = await ada.context(options)
      read.resolve()
      await gate.promise
      return context
    },
    append: (...given) => ada.append(...given),
  }
  server.key('vk-ada', { ...scopeOf(ada), memory: slow })
  const asked = ask('vk-ada', 'When does the kiosk open?')
  await read.promise
  await ada.forget({ session: 'past' })
  gate.resolve()
  expect((await turnOf(server, await asked, 'vk-ada')).status).toBe(404)
})

test('with memory switched off nothing of a call is held', async () => {
  const { server, ask } = await reached(() => chatAnswer('ok'))
  server.key('vk-ada', scopeOf(shared.user()))
  expect((await turnOf(server, await ask('vk-ada', 'hello', { 'varve-memory': 'off' }), 'vk-ada')).status).toBe(404)
})

test('models and counts of tokens are passed on with the upstream’s key; what a provider keeps is not', async () => {
  const { server, requests } = await reached(({ url }) => ({ ...chatAnswer('ok'), pieces: [`{"at":"${url}"}`] }))
  server.key('vk-ada', scopeOf(shared.user()))
  const headers = { authorization: 'Bearer vk-ada' }
  const ask = async (path: string, more: { method?: string; body?: string; headers?: Record<string, string> } = {}): Promise<unknown[]> => {
    const response = await fetch(server.url + path, { ...more, headers: { ...headers, ...more.headers } })
    return [response.status, await response.text()]
  }
  expect(await ask('/v1/models?limit=2')).toEqual([200, '{"at":"/v1/models?limit=2"}'])
  expect(requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer sk-upstream' })
  expect(await ask('/v1/models/m', { headers: { 'anthropic-version': '2023-06-01' } })).toEqual([200, '{"at":"/v1/models/m"}'])
  expect(requests.at(-1)?.headers).toMatchObject({ 'x-api-key': 'sk-ant' })
  expect(await ask('/v1/messages/count_tokens', { method: 'POST', body: '{"messages":[]}' })).toEqual([
    200,
    '{"at":"/v1/messages/count_tokens"}',
  ])
  expect(requests.at(-1)?.text).toBe('{"messages":[]}')
  expect(JSON.stringify(requests)).not.toContain('vk-ada')
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(401)
  for (const path of ['/v1/responses/resp_1', '/v1/chat/completions/c1', '/v1/files']) expect((await ask(path))[0]).toBe(404)
  expect(requests).toHaveLength(3)
})
